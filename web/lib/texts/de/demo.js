/* SPDX-License-Identifier: Apache-2.0 */
/* demo.js — the texts that only `holdfast demo` shows, in German: the ways in from the first page; part of de.js. */
export default {
    demo_title: 'Dies ist die Demo',
    demo_lead: 'Hier kostet nichts Geld. Kaufen Sie unten als Besucher, oder sehen Sie hinter die Kulissen:',
    demo_admin: 'Admin',
    demo_admin_why: 'Veranstaltungen, Bestellungen, Erstattungen und aktuelle Zahlen.',
    demo_key: 'Der Schlüssel dafür:',
    demo_door: 'Einlass',
    demo_door_why: 'Tickets prüfen, mit einem Einlass-Schlüssel aus Admin, API-Schlüssel.',
    demo_docs: 'Dokumentation',
    demo_docs_why: 'Anleitungen, und die API zum Ausprobieren im Browser.',
    demo_fleet: 'Taxis',
    demo_fleet_why: 'Rufen Sie ein Taxi, oder fahren Sie selbst eins.',
};
