/* SPDX-License-Identifier: Apache-2.0 */
/* health.js — whether the server takes holds. */
import { note } from '../../lib/states.js';
import { t } from '../../lib/texts.js';
import { View } from './view.js';

export default class extends View {
    async load() {
        this.ready = await this.client.get('/readyz');
    }

    template() {
        return note('good', t('admin_ready'), this.ready.status);
    }
}
