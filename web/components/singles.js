/* SPDX-License-Identifier: Apache-2.0 */
/* singles.js — what a basket says about seats that it leaves alone, and buttons to choose otherwise: a template of
 * <holdfast-basket> and <holdfast-checkout>. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { listed } from '../lib/format.js';
import { placeAmong, placeOf } from '../lib/places.js';
import { movesFor, singlesOf } from '../lib/single_seats.js';
import { note } from '../lib/states.js';
import { t } from '../lib/texts.js';

/* Within a row. */
const seatOf = (seat) => (seat.number ? t('place_seat', { seat: seat.number }) : t('seat', { seat: seat.id }));

/* `of` is the element that shows it; its `refused` is true once the server has refused to sell because of them. `act(call)` does
 * what changes the basket. */
export function singles(of, act) {
    const { shared: { basket, catalogue }, refused } = of;
    const left = singlesOf(basket, catalogue);
    if (left.length === 0) {
        return nothing;
    }
    const places = listed(left.map(({ id, seat, about }) => placeAmong(basket.items, seat ? placeOf(seat) : t('seat', { seat: id }), about)));
    const said = t('single', { n: left.length, places });
    const button = (text, call) => html`<button class="button" type="button" aria-disabled=${of.busy} @click=${of.press(() => act(call))}>${text}</button>`;
    return note(refused ? 'bad' : 'warn', refused ? t('refused') : said, refused ? `${said} ${t('single_why')}` : t('single_why'),
        html`${moveButton(basket, movesFor(basket, left), button)}${takeButton(basket, left, button)}`);
}

/* What is said about a refusal: if it is because of them, that is said beside them. */
export async function refusal(of, problem) {
    const { basket } = of.shared;
    if (problem.code === 'leaves_single') {
        await basket.refresh();
        of.refused = basket.reservation?.leaves_single?.length > 0;
    }
    return of.refused || problem.code === 'expired' ? nothing : note('bad', t('refused'), problem.message);
}

function moveButton(basket, moves, button) {
    if (!moves) {
        return nothing;
    }
    const text = moves.length === 1 ? t('single_move', { from: seatOf(moves[0].from), to: seatOf(moves[0].to) }) : t('single_moves', { n: moves.length });
    return button(text, async () => {
        for (const { item, to } of moves) {
            await basket.change(item.item_id, { seat: to.id });
        }
    });
}

/* In the category of the seats of that event. */
function takeButton(basket, left, button) {
    if (left.some(({ seat }) => !seat)) {
        return nothing;
    }
    const like = ({ event }) => basket.items.find((item) => item.event === event.id && item.seat);
    const items = left.map(({ id, about }) => ({ event: about.event.id, seat: id, ...(like(about).category ? { category: like(about).category } : {}) }));
    return button(left.length === 1 ? t('single_take', { seat: seatOf(left[0].seat) }) : t('single_take_all', { n: left.length }), () => basket.take(items));
}
