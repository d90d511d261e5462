/* SPDX-License-Identifier: Apache-2.0 */
/* catalogue_view.js — a view of the catalogue: its rules are in style/admin_catalogue.css and admin_hall.css.
 *
 * Fields are read when they are left: `typing` is true while one has been typed into and not been left. */
import { View } from './view.js';

export class CatalogueView extends View {
    typing = false;

    constructor(options) {
        super(options);
        this.root.classList.add('catalogue');
        this.root.addEventListener('input', () => { this.typing = true; });
        for (const left of ['change', 'focusout']) {
            this.root.addEventListener(left, () => { this.typing = false; });
        }
    }
}
