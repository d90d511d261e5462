/* SPDX-License-Identifier: Apache-2.0 */
/* calendars.js — the calendars: #calendars lists them; new, edit/ID and copy/ID are a form. */
import { html } from '../../vendor/lit-html/lit-html.js';
import { price, stayLength } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { CalendarForm } from './calendar_form.js';
import { ListView } from './list_view.js';

class CalendarList extends ListView {
    kind = 'calendars';
    path = '/v1/calendars';

    about(calendar) {
        return html`<span>${calendar.timezone}</span> <span>${stayLength(calendar.slot_minutes, calendar)}</span> <span>${price(calendar.price, calendar.currency)}</span>`;
    }

    words() {
        return { empty: t('cal_none'), next: t('cal_none_next'), create: t('cal_create') };
    }
}

const PARTS = { new: CalendarForm, edit: CalendarForm, copy: CalendarForm };

export default class {
    constructor(options) {
        return new (PARTS[options.parts[0]] ?? CalendarList)(options);
    }
}
