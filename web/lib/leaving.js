/* SPDX-License-Identifier: Apache-2.0 */
/* leaving.js — asks before the user leaves a view that has something unsaved; the focus returns to where it was. */
import { html, render } from '../vendor/lit-html/lit-html.js';
import { t } from './texts.js';

const question = () => html`<dialog class="card ask" aria-labelledby="ask-title" aria-describedby="ask-why"><form method="dialog">
    <h2 id="ask-title">${t('admin_leave')}</h2><p id="ask-why">${t('admin_leave_why')}</p>
    <div class="actions"><button class="button primary" value="stay" autofocus>${t('admin_leave_stay')}</button>
        <button class="button quiet danger" value="leave">${t('admin_leave_go')}</button></div></form></dialog>`;

/* Whether to leave. Escape stays. */
export function mayLeave() {
    const root = document.createElement('div');
    render(question(), root);
    document.body.append(root);
    const dialog = root.firstElementChild;
    dialog.showModal();
    return new Promise((resolve) => {
        dialog.addEventListener('close', () => {
            root.remove();
            resolve(dialog.returnValue === 'leave');
        });
    });
}
