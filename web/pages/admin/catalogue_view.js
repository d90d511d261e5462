/* SPDX-License-Identifier: Apache-2.0 */
/* catalogue_view.js — a view of the catalogue: its rules are in style/admin_catalogue.css and admin_hall.css. */
import { View } from './view.js';

export class CatalogueView extends View {
    constructor(options) {
        super(options);
        this.root.classList.add('catalogue');
    }
}
