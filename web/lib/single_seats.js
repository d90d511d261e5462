/* SPDX-License-Identifier: Apache-2.0 */
/* single_seats.js — the seats that a basket leaves alone, as the server says (leaves_single), and how to choose otherwise.
 *
 * A seat is left alone beside seats of the basket. At the far end of one of these blocks a seat stays free: otherwise it would
 * be the last one of its run, which may be left. So moving that end onto the lone seat leaves none there and adds none. The
 * server decides about each move.
 */

/* The lone seats, {id, about, seat}; without `about` and `seat` as long as the hall is not loaded. */
export function singlesOf(basket, catalogue) {
    const seats = basket.items.filter((item) => item.seat);
    const halls = [...new Set(seats.map((item) => item.event))].map((event) => catalogue.about(event)).filter(Boolean);
    return (basket.reservation?.leaves_single ?? []).map((id) => {
        const about = halls.find(({ event, hall }) => sidesOf(hall, id).some((side) => basket.itemOf(event.id, side[0]?.id)));
        return about ? { id, about, seat: about.hall.seats[about.hall.index.get(id)] } : { id };
    });
}

/* Whether a seat is one of them, or beside one. */
export function concernsSingles(reservation, hall, seat) {
    const near = [seat, ...sidesOf(hall, seat.id).map((side) => side[0])];
    return Boolean(reservation?.leaves_single?.some((id) => near.some((one) => one?.id === id)));
}

/* Moves after which none is alone, [{item, from, to}]; null: they are not known, or would swap an accessible place for another. */
export function movesFor(basket, singles) {
    const draft = new Draft(basket);
    const possible = singles.every((single) => single.about && (draft.movedAway(single) || draft.moveInto(single)));
    return possible ? [...draft.moves.values()] : null;
}

/* The seats on each side of this one, nearest first, up to an aisle or the end of the row. */
function sidesOf(hall, id) {
    if (!hall.index.has(id)) {
        return [];
    }
    const { run, place } = hall.runOf(hall.index.get(id));
    return [run.slice(0, place).reverse(), run.slice(place + 1)];
}

/* The basket while its items are moved. */
class Draft {
    moves = new Map(); /* by item */

    constructor(basket) {
        this.basket = basket;
    }

    #itemOn(event, seat) {
        const moved = [...this.moves.values()].find(({ to }) => to === seat)?.item;
        const item = this.basket.itemOf(event.id, seat.id);
        return moved ?? (this.moves.has(item?.item_id) ? undefined : item);
    }

    #isFree({ event, hall }, seat) {
        const left = [...this.moves.values()].some(({ from }) => from === seat);
        return !this.#itemOn(event, seat) && (left || hall.statusOf(seat.index) === 'available');
    }

    /* Whether a move has made a seat beside it free. */
    movedAway({ about, id }) {
        return sidesOf(about.hall, id).some(([beside]) => beside && this.#isFree(about, beside));
    }

    moveInto({ about, seat }) {
        for (const side of sidesOf(about.hall, seat.id)) {
            const end = side.findIndex((one) => !this.#itemOn(about.event, one));
            const from = side[end - 1];
            const item = from && this.#itemOn(about.event, from);
            if (item && this.#isFree(about, side[end]) && from.accessible === seat.accessible && about.hall.price(seat, item.category) !== null) {
                this.moves.set(item.item_id, { item, from: this.moves.get(item.item_id)?.from ?? from, to: seat });
                return true;
            }
        }
        return false;
    }
}
