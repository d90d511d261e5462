/* SPDX-License-Identifier: Apache-2.0 */
/* draw_file.js — where a drawing is kept, and the drawing as a file. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { draftFile, draftOfFile } from '../../lib/drawing/draft.js';
import { note } from '../../lib/states.js';
import { t } from '../../lib/texts.js';
import { keepFile } from './parts.js';

function download(view) {
    keepFile([draftFile(view.event.id, view)], 'application/json', t('hall_file_name', { event: view.event.id }));
    view.filed = view.plan;
    view.update();
}

/* What was drawn before is a step back. */
async function open(view, input) {
    const [file] = input.files;
    if (!file) {
        return;
    }
    const draft = draftOfFile(view.event.id, await file.text());
    input.value = ''; /* so that the same file can be chosen again */
    if (draft) {
        view.saved = [...new Set([...view.saved, ...draft.saved])];
        view.message = note('good', t('hall_file_opened', { name: file.name, n: draft.plan.blocks.length }));
        view.put(draft.plan);
    } else {
        view.message = note('bad', t('hall_file_bad', { name: file.name }), t('hall_file_bad_why'));
        view.update();
    }
    view.root.querySelector('.told').scrollIntoView({ block: 'nearest' });
}

export const filePanel = (view) => html`<section class="card part" aria-labelledby="hall-file"><h3 id="hall-file">${t('hall_file')}</h3>
    ${view.kept ? html`<p class="fine">${t('hall_file_kept')}</p>` : note('warn', t('hall_file_lost'), t('hall_file_lost_why'))}
    ${view.elsewhere ? note('warn', t('hall_file_elsewhere'), t('hall_file_elsewhere_why')) : nothing}
    <div class="actions"><button class="button" type="button" ?disabled=${!view.plan.blocks.length} @click=${() => download(view)}>${t('hall_file_save')}</button>
        <label class="button opens">${t('hall_file_open')}<input type="file" accept=".json,application/json" @change=${(e) => open(view, e.target)}></label></div></section>`;
