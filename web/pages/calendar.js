/* SPDX-License-Identifier: Apache-2.0 */
/* calendar.js — booking a time on a calendar, or on one of a group. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { server } from '../lib/server.js';
import { setting, show, subject } from '../lib/shell.js';
import { isolated, t } from '../lib/texts.js';
import '../components/calendar.js';

const { client } = server();
const grouped = location.pathname.startsWith('/c/group/');
const move = new URLSearchParams(location.hash.slice(1)).get('move'); /* a reservation, from its page */

show(async () => {
    const { id, name } = await client.get(`/v1/${grouped ? 'groups' : 'calendars'}/${encodeURIComponent(subject())}`);
    document.title = `${isolated(name)} · Holdfast`;
    return html`<div><p class="eyebrow">${t('cal_title')}</p><h1>${name}</h1></div>
        <holdfast-calendar calendar=${grouped ? nothing : id} group=${grouped ? id : nothing} move=${move ?? nothing}
            checkout=${setting('checkout') ?? nothing} ?demo=${setting('demo')} order="/o/{reservation}"></holdfast-calendar>`;
});
