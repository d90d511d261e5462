/* SPDX-License-Identifier: Apache-2.0 */
/* holdfast.js — the components, for any site:
 *
 *     <script type="module" src="https://tickets.example/embed/holdfast.js"></script>
 *     <holdfast-seats event="arena"></holdfast-seats> <holdfast-basket></holdfast-basket>
 *
 * The server must allow that site's origin by --cors. Attributes, events, theming: docs/embed.md.
 */
import '{{assets}}/components/seats.js';
import '{{assets}}/components/basket.js';
import '{{assets}}/components/countdown.js';
import '{{assets}}/components/ticket.js';
import '{{assets}}/components/queue.js';
import '{{assets}}/components/calendar.js';
