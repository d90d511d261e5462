/* SPDX-License-Identifier: Apache-2.0 */
/* The components in a shop. */
import type { HoldfastAttributes, HoldfastElement } from 'holdfast-client/components';
const basket = document.createElement('holdfast-basket');
basket.addEventListener('confirmed', (e) => console.log(e.detail.pnr, e.detail.tickets));
addEventListener('hold', ({ detail }) => console.log(detail.total.amount));
document.addEventListener('expired', ({ detail }) => console.log(detail.reservation_id));
document.querySelector('holdfast-queue')?.addEventListener('admitted', ({ detail }) => console.log(detail?.entry_id));
// @ts-expect-error nobody may have been admitted
addEventListener('admitted', ({ detail }) => detail.entry_id);
export const seconds: number = basket.shared.basket.secondsLeft();
export const more = (element: HoldfastElement) => element.shared.basket.extendable && element.shared.basket.extend();
export const shown: HoldfastAttributes['holdfast-calendar'][] = [{ calendar: 'dr' }, { group: 'doctors', checkout: '/pay?o={reservation}' }];
// @ts-expect-error a calendar or a group
shown.push({ calendar: 'dr', group: 'doctors' });
// @ts-expect-error of which event?
export const seats: HoldfastAttributes['holdfast-seats'] = {};
// @ts-expect-error it has no such state
basket.shared.basket.state === 'sold';
