/* SPDX-License-Identifier: Apache-2.0 */
/* refund_form.js — refunds a sale whole, from its page in /admin: part of find.js. Asks once more before it does. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { t } from '../../lib/texts.js';

const REASON_MOST = 256;

export class RefundForm {
    sure = false;

    constructor(view) {
        this.view = view;
    }

    async #submit(e, id) {
        e.preventDefault();
        const { view } = this;
        if (!this.sure) {
            this.sure = true;
            view.update();
            return;
        }
        this.sure = false;
        const given = new FormData(e.target);
        const reason = given.get('reason').trim();
        await view.act(async () => {
            await view.client.post(`/v1/reservations/${encodeURIComponent(id)}/refund`, { ...(reason ? { reason } : {}), ...(given.has('paid_back') ? { paid_back: true } : {}) });
            await view.refresh();
        }, t('refund_done'));
        view.root.querySelector('.told').scrollIntoView({ block: 'nearest' });
    }

    template({ reservation_id: id, status }) {
        return status === 'confirmed' ? html`<details class="card part"><summary><h2>${t('refund_title')}</h2></summary>
            <form class="question refund" @submit=${(e) => this.#submit(e, id)}><p>${t('refund_why')}</p>
                <div class="field"><label for="refund-reason">${t('refund_reason')}</label>
                    <input id="refund-reason" name="reason" maxlength=${REASON_MOST} autocomplete="off" aria-describedby="refund-reason-hint"><p class="fine" id="refund-reason-hint">${t('refund_reason_hint')}</p></div>
                <div class="field tick"><label><input type="checkbox" name="paid_back" aria-describedby="refund-back-hint"> ${t('refund_paid_back')}</label>
                    <p class="fine" id="refund-back-hint">${t('refund_paid_back_hint')}</p></div>
                <div class="actions"><button class="button danger" type="submit" ?disabled=${this.view.busy}>${t(this.sure ? 'refund_sure' : 'refund_go')}</button></div></form></details>` : nothing;
    }
}
