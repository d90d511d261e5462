/* SPDX-License-Identifier: Apache-2.0 */
/* calendar.js — booking a time on a calendar, or on one of a group. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { server } from '../lib/server.js';
import { setting, show, subject } from '../lib/shell.js';
import { t } from '../lib/texts.js';
import '../components/calendar.js';

const { client } = server();
const grouped = location.pathname.startsWith('/c/group/');

show(async () => {
    const { id, name } = await client.get(`/v1/${grouped ? 'groups' : 'calendars'}/${encodeURIComponent(subject())}`);
    document.title = `${name} · Holdfast`;
    return html`<div><p class="eyebrow">${t('cal_title')}</p><h1>${name}</h1></div>
        <holdfast-calendar calendar=${grouped ? nothing : id} group=${grouped ? id : nothing} checkout=${setting('checkout') ?? nothing}></holdfast-calendar>`;
});
