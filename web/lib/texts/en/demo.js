/* SPDX-License-Identifier: Apache-2.0 */
/* demo.js — the texts that only `holdfast demo` shows, in English: the ways in from the first page; part of en.js. */
export default {
    demo_title: 'This is the demo',
    demo_lead: 'Nothing here costs money. Buy as a visitor below, or look behind the scenes:',
    demo_admin: 'Admin',
    demo_admin_why: 'Events, orders, refunds and live figures.',
    demo_key: 'Its key:',
    demo_door: 'Door',
    demo_door_why: 'Check tickets in, with a door key from Admin, API keys.',
    demo_docs: 'Docs',
    demo_docs_why: 'Guides, and the API to try in the browser.',
    demo_fleet: 'Taxis',
    demo_fleet_why: 'Ask for a ride, or drive one yourself.',
};
