/* SPDX-License-Identifier: Apache-2.0 */
/* The form of one order: the address has its id, and the result of the last try. */
const query = new URLSearchParams(location.search);
const form = document.querySelector('form');
const said = form.querySelector('.said');

function say(text) {
    said.textContent = text;
    said.hidden = false;
}

function close(text) {
    say(text);
    form.querySelector('button').disabled = true;
}

/* The price: the components of a page share one basket. */
async function showTotal() {
    await customElements.whenDefined('holdfast-countdown');
    const { basket } = document.querySelector('holdfast-countdown').shared;
    await basket.loaded;
    if (basket.reservation) {
        const { amount, currency } = basket.reservation.total;
        const format = new Intl.NumberFormat(document.documentElement.lang, { style: 'currency', currency });
        document.getElementById('total').textContent = format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits);
    }
}

form.elements.order.value = query.get('order') ?? '';
if (query.has('declined')) {
    say('Your card was declined. Nothing was charged. Try another one.');
} else if (query.has('too_late')) {
    close('The time was up before you paid. Nothing is charged; a charge already made goes back.');
}
addEventListener('expired', () => close('Your time is up. The seats are on sale again. Nothing was charged.'));
showTotal();
