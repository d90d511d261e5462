/* SPDX-License-Identifier: Apache-2.0 */
/* Sells a seat, books an appointment and goes through a waiting room, on a server with the demo's data. */
import createClient from "openapi-fetch";
import type { components, paths } from "./holdfast.js";

type Confirmed = components["schemas"]["confirmed_reservation"];

const baseUrl = process.env.HOLDFAST_URL ?? "http://127.0.0.1:8080";
const caller = (token: string) => createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const shop = caller(process.env.HOLDFAST_ADMIN_KEY ?? "");
const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));
const show = (what: string, { order_id, tickets }: Confirmed) =>
    console.log(`${what}: ${order_id}, tickets ${tickets.map(({ code }) => code).join(", ")}`);

/* Two seats side by side for ann, who has paid. Another buyer can be faster: then there is a reason. */
async function sellSeats(): Promise<void> {
    const items = [{ event: "arena", best: { quantity: 2, adjacent: true } }];
    const hold = await shop.POST("/v1/reservations", { body: { user_id: "ann", items, attributes: { channel: "web" } } });
    if (hold.error) {
        const { code, detail } = hold.error;
        throw new Error(code === "sold_out" || code === "no_adjacent_seats" ? `too late: ${detail}` : detail);
    }
    const params = { path: { id: hold.data.reservation_id } };
    const sale = await shop.POST("/v1/reservations/{id}/commit", { params, body: { payment_ref: `pi_${hold.data.reservation_id}` } });
    if (sale.error) throw new Error(sale.error.detail);
    show("seats", sale.data);
}

/* The first free slot of the doctor, in one step. */
async function bookAppointment(): Promise<void> {
    const calendar = "dr_smith";
    const slots = await shop.GET("/v1/calendars/{calendar}/slots", { params: { path: { calendar }, query: { limit: 1 } } });
    if (slots.error) throw new Error(slots.error.detail);
    const [slot] = slots.data.data;
    if (!slot) throw new Error("no slot this week");
    const items = [{ calendar, start: slot.start, end: slot.end }];
    const booked = await shop.POST("/v1/reservations", { body: { user_id: "ann", items, commit: true } });
    if (booked.error) throw new Error(booked.error.detail);
    if (booked.data.status !== "confirmed") throw new Error(booked.data.status);
    show("appointment", booked.data);
}

/* A guest joins the line, waits for their turn, and holds with the pass. */
async function goThroughWaitingRoom(): Promise<void> {
    const session = await shop.POST("/v1/sessions", { headers: { Authorization: null }, body: {} });
    if (session.error) throw new Error(session.error.detail);
    const guest = caller(session.data.token);
    const event = "premiere";
    let entry = await guest.POST("/v1/events/{event}/queue", { params: { path: { event } }, body: {} });
    while (entry.data && !entry.data.pass) {
        await pause(entry.data.poll_after_seconds ?? 1);
        const path = { event, entry: entry.data.entry_id };
        entry = await guest.GET("/v1/events/{event}/queue/{entry}", { params: { path } });
    }
    if (!entry.data?.pass) throw new Error(entry.error?.detail);
    const header = { "Holdfast-Pass": entry.data.pass };
    const hold = await guest.POST("/v1/reservations", { params: { header }, body: { items: [{ event, best: { quantity: 1 } }] } });
    if (hold.error) throw new Error(hold.error.detail);
    const sale = await guest.POST("/v1/reservations/{id}/commit", { params: { path: { id: hold.data.reservation_id } } });
    if (sale.error) throw new Error(sale.error.detail);
    show("premiere", sale.data);
}

await sellSeats();
await bookAppointment();
await goThroughWaitingRoom();
