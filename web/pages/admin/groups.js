/* SPDX-License-Identifier: Apache-2.0 */
/* groups.js — groups of calendars: #groups lists them; new, edit/ID and copy/ID are a form. */
import { html } from '../../vendor/lit-html/lit-html.js';
import { t } from '../../lib/texts.js';
import { GroupForm } from './group_form.js';
import { ListView } from './list_view.js';

class GroupList extends ListView {
    kind = 'groups';
    path = '/v1/groups';

    about(group) {
        return html`<span>${t('home_group_members', { n: group.calendars.length })}</span> <span>${t(group.pick === 'in_order' ? 'gr_in_order' : 'gr_least_busy')}</span>`;
    }

    words() {
        return { empty: t('gr_none_yet'), next: t('gr_none_next'), create: t('gr_create') };
    }
}

const PARTS = { new: GroupForm, edit: GroupForm, copy: GroupForm };

export default class {
    constructor(options) {
        return new (PARTS[options.parts[0]] ?? GroupList)(options);
    }
}
