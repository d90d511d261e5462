/* SPDX-License-Identifier: Apache-2.0 */
/* The tickets of the order in the address. They open in the browser that bought them: it has the buyer's token. */
const tickets = document.createElement('holdfast-ticket');
tickets.setAttribute('reservation', new URLSearchParams(location.search).get('order') ?? '');
document.getElementById('tickets').append(tickets);
