/* SPDX-License-Identifier: Apache-2.0 */
/* agenda.js — a calendar, or a group of calendars of which any one will do: what can be booked on it, and when it is free.
 *
 * A choice is {service} or {minutes}, and {party} for a group; {calendar} as well for a move, which stays on its calendar.
 */
const WINDOW_MS = 62 * 86_400_000; /* the longest that the server lists at once */
const PAGE = 1000;
const segment = encodeURIComponent;

export class Agenda {
    static async load(client, { calendar, group }) {
        if (!group) {
            const one = await client.get(`/v1/calendars/${segment(calendar)}`);
            return new Agenda(client, { id: one.id, name: one.name, path: `/v1/calendars/${segment(one.id)}`, calendars: [one] });
        }
        const found = await client.get(`/v1/groups/${segment(group)}`);
        const calendars = await Promise.all(found.calendars.map((id) => client.get(`/v1/calendars/${segment(id)}`)));
        return new Agenda(client, { id: found.id, group: found.id, name: found.name, path: `/v1/groups/${segment(found.id)}`, calendars });
    }

    constructor(client, about) {
        Object.assign(this, { client, group: null, ...about });
        [this.first] = this.calendars;
        this.zone = this.first.timezone;
        this.currency = this.first.currency;
        this.byId = new Map(this.calendars.map((one) => [one.id, one]));
        this.largest = Math.max(...this.calendars.map(({ size }) => size));
        this.horizon = Math.max(...this.calendars.map(({ horizon_days: days }) => days));
        this.services = [...new Map(this.calendars.flatMap((one) => one.services).map((service) => [service.id, service])).values()];
        this.lengths = this.services.length ? [] : this.#lengths();
    }

    /* Minutes that a booking may last. */
    #lengths() {
        const { slot_minutes: slot, min_minutes: least, max_minutes: most } = this.first;
        const from = Math.ceil((least ?? slot) / slot) * slot;
        const list = [];
        for (let length = from; length <= Math.max(from, most ?? 0) && list.length < 48; length += slot) {
            list.push(length);
        }
        return list;
    }

    /* Whether an item of a reservation is a booking here. */
    has(item) {
        return this.group ? item.group === this.group : item.calendar === this.id;
    }

    /* What a choice costs: {least, most} over the calendars it may be given. */
    price({ service, minutes, party = 1 }) {
        const prices = this.calendars.filter(({ size }) => size >= party).map((one) => {
            if (service) {
                const found = one.services.find(({ id }) => id === service);
                return found && (found.price ?? one.price);
            }
            return one.price_per === 'claim' ? one.price : one.price * Math.ceil(minutes / one.slot_minutes);
        }).filter((price) => price !== undefined);
        return { least: Math.min(...prices), most: Math.max(...prices) };
    }

    #slots(from, to, { service, minutes, party, calendar }, more = {}) {
        const path = calendar ? `/v1/calendars/${segment(calendar)}` : this.path;
        return [`${path}/slots`, { from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit: PAGE,
            ...(service ? { service } : { duration_minutes: minutes }), ...(this.group && !calendar ? { party } : {}), ...more }];
    }

    /* What is free from … to: {start, end, available}, each start once. */
    async slots(from, to, choice) {
        const [path, query] = this.#slots(from, to, choice);
        const found = new Map();
        for (const slot of await this.client.all(path, { query })) {
            const before = found.get(slot.start);
            before ? before.available += slot.available : found.set(slot.start, { ...slot });
        }
        return [...found.values()];
    }

    /* The first free time from an instant on, or null. */
    async next(from, choice) {
        const end = this.client.clock.now() + (this.horizon + 1) * 86_400_000;
        for (let at = from; at < end; at += WINDOW_MS) {
            const [path, query] = this.#slots(at, Math.min(at + WINDOW_MS, end), choice, { limit: 1 });
            for (let cursor; cursor !== null;) {
                const page = await this.client.get(path, { query: { ...query, cursor } });
                if (page.data.length) {
                    return page.data[0];
                }
                cursor = page.next_cursor;
            }
        }
        return null;
    }

    /* The item of a request. */
    item(slot, { service, party }) {
        return { ...(this.group ? { group: this.group, party } : { calendar: this.id }), start: slot.start, ...(service ? { service } : { end: slot.end }) };
    }

    /* Minutes before its start until which something about a booking may be done, as an instant; null: never. */
    until(item, field) {
        const minutes = this.byId.get(item.calendar)?.[field];
        return minutes === null || minutes === undefined ? null : Date.parse(item.start) - minutes * 60_000;
    }
}
