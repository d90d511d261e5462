/* SPDX-License-Identifier: Apache-2.0 */
/* /admin: the ledger's totals, its discrepancies with what to do about each, one payment, and the provider's events. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent, seats } = require('../conformance/lib/catalogue.js');
const { put, tell, success, charge, event: provided } = require('../conformance/lib/provider.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, axe } = browser({ prepare: async (server) => {
    await put(server);
    await makeEvent(server, { id: 'winter', name: 'The winter concert', payment: 'required', seats: seats('A1-A9', { price: 6000 }) });
} });
const NOWHERE = { reservation_id: 'res_01JX5M0Q6H8Z3V7T2R9K4C1W0E', total: { amount: 4500 } };
const DAY_MS = 86_400_000;
const row = (page, ref) => page.locator(`[data-payment=${ref}]`);

async function hold(seat) {
    const { status, json, text } = await hf.app.post('/v1/reservations', { user_id: 'ann', items: [{ event: 'winter', seat }] });
    assert.equal(status, 201, text);
    return json;
}
const commit = (r, ref, amount = 6000) => hf.app.post(`/v1/reservations/${r.reservation_id}/commit`, { payment_ref: ref, amount: { amount, currency: 'EUR' } });

test('before the first payment each list is empty and says what will be there', async () => {
    const page = await signedIn(await visitor(), hf, 'payments');
    await page.getByText('Every payment adds up').waitFor();
    await page.getByRole('link', { name: 'Provider events' }).click();
    await page.getByText('No provider events').waitFor();
    await axe(page);
    await page.goto('/admin#payments/one/pi_none');
    await page.getByRole('button', { name: 'Try again' }).waitFor(); /* a payment that does not exist */
    await axe(page);
});

test('totals, each discrepancy with what to do, and a payment with its events', async () => {
    const returned = await hold('A1');
    await commit(returned, 'pi_returned');
    await tell(hf, charge('pi_returned', 6000));
    hf.clock.advance(DAY_MS); /* totals are over all days */
    const short = await hold('A2');
    await commit(short, 'pi_short');
    await tell(hf, success(short, 'pi_short', 5000));
    await tell(hf, success(await hold('A3'), 'pi_disputed'));
    await tell(hf, provided('charge.dispute.created', { id: 'dp_1', object: 'dispute', payment_intent: 'pi_disputed', amount: 6000, currency: 'eur' }));
    await tell(hf, success(NOWHERE, 'pi_unknown', 4500));
    await commit(await hold('A4'), 'pi_good');
    const page = await signedIn(await visitor(), hf, 'payments');
    for (const [ref, advice] of [['pi_returned', 'the places are still sold'], ['pi_short', 'received less than the shop reported'],
        ['pi_disputed', 'Answer the dispute'], ['pi_unknown', 'a reservation that does not exist']]) {
        await row(page, ref).getByText(advice).waitFor();
    }
    assert.equal(await row(page, 'pi_good').count(), 0);
    assert.equal(await row(page, 'pi_unknown').getByRole('link', { name: 'Reservation' }).count(), 0, 'there is none to go to');
    const figures = await page.locator('[data-totals=EUR] [data-figure]').allInnerTexts();
    assert.deepEqual(figures, ['€275.00', '€170.00', '€60.00', '€45.00'], 'received = kept + returned + owed');
    await axe(page);
    await row(page, 'pi_short').getByRole('link', { name: 'pi_short' }).click();
    await page.locator('[data-figure=received]').getByText('€50.00').waitFor();
    await page.locator('[data-result]').getByText('payment_intent.succeeded').waitFor();
    await axe(page);
    await page.locator('.facts').getByRole('link', { name: short.reservation_id }).click();
    await page.locator(`[data-pnr="${short.pnr}"]`).waitFor();
    await page.goto('/admin#payments');
    await row(page, 'pi_unknown').getByRole('link', { name: 'Refunds due' }).click();
    await page.locator('[data-refund]').getByRole('link', { name: 'Payment pi_unknown' }).waitFor();
    assert.match(await page.locator('[data-refund]').innerText(), /idempotency key at the provider: rfd_/);
    await axe(page);
});

test('the provider events by result; a payment of a refused sale says what to do with it', async () => {
    await commit(await hold('A5'), 'pi_sold');
    const refused = await hf.app.post('/v1/reservations', { user_id: 'bob', commit: true, payment_ref: 'pi_refused', items: [{ event: 'winter', seat: 'A5' }] });
    assert.equal(refused.status, 409, refused.text);
    const page = await signedIn(await visitor(), hf, 'payments/events');
    await page.locator('.row', { hasText: 'pi_refused' }).getByText('Use it for another sale, or refund it').waitFor();
    await page.getByLabel('Result').selectOption({ label: 'Sale refused' });
    await page.waitForURL('**/admin#payments/events/rejected');
    await page.locator('.body[aria-busy=false] .row').waitFor();
    assert.deepEqual(await page.locator('.row bdi').allInnerTexts(), ['pi_refused']);
});
