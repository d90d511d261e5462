/* SPDX-License-Identifier: Apache-2.0 */
/* event.js — the page of an event: what it is, its seats, the basket. */
import { html, nothing, render } from '../vendor/lit-html/lit-html.js';
import { dateTime, minutes, price } from '../lib/format.js';
import { server } from '../lib/server.js';
import { imageOf, setting, show, subject } from '../lib/shell.js';
import { isolated, t } from '../lib/texts.js';
import '../components/seats.js';
import '../components/basket.js';

const { basket, catalogue } = server();
const hide = (e) => { e.target.hidden = true; };

/* On a phone the basket is below the map: a line at the bottom says what is in it and leads there. */
function summary(line) {
    let seen = false; /* the basket itself is in view */
    const tell = () => {
        line.hidden = !basket.held || seen;
        if (basket.held) {
            const { total } = basket.reservation;
            const n = basket.items.reduce((sum, item) => sum + (item.quantity ?? 1), 0);
            render(html`<span class="number"><strong>${t('basket_places', { n })}</strong><span>${price(total.amount, total.currency)}</span>
                <span>${minutes(basket.secondsLeft())}</span></span>
                <a class="button primary" href="#basket">${t('basket_view')}</a>`, line);
        }
    };
    basket.addEventListener('change', tell);
    new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; tell(); }).observe(document.getElementById('basket'));
    setInterval(tell, 1000);
    tell();
}

/* Nothing can be put into the basket of a cancelled event: an empty one is not shown. */
function hideEmpty(element, event) {
    const tell = () => { element.hidden = basket.state === 'empty' && Boolean(catalogue.about(event)?.event.cancelled_at); };
    [basket, catalogue].forEach((one) => one.addEventListener('change', tell));
    tell();
}

await show(async () => {
    const { event } = await catalogue.load(subject());
    document.title = `${isolated(event.name)} · Holdfast`;
    return html`<div class="headline">
            ${imageOf(event) ? html`<img src=${imageOf(event)} alt="" @error=${hide}>` : nothing}
            <div><h1>${event.name}</h1>
                <p class="facts">${event.starts_at ? html`<span>${dateTime(event.starts_at, event.timezone)}</span>` : nothing}
                    ${event.venue ? html`<span>${event.venue}</span>` : nothing}</p>
                ${event.description ? html`<p class="description">${event.description}</p>` : nothing}</div></div>
        <div class="sale"><holdfast-seats event=${event.id}></holdfast-seats>
            <holdfast-basket id="basket" checkout=${setting('checkout') ?? nothing} ?demo=${setting('demo')}
                order="/o/{reservation}"></holdfast-basket></div>
        <div class="summary" hidden></div>`;
});
const line = document.querySelector('.summary');
if (line) {
    summary(line);
    hideEmpty(document.getElementById('basket'), subject());
}
