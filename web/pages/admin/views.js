/* SPDX-License-Identifier: Apache-2.0 */
/* views.js — the views of /admin, in the order of its navigation: the first one is shown first.
 *
 * `id` is its name in the address, /admin#id; `title` and `lead` head it; `load` imports its module, which is not fetched
 * before the key is known to be good. The module's default export is a View (view.js).
 */
import { t } from '../../lib/texts.js';

export const VIEWS = [
    { id: 'live', title: () => t('admin_live'), lead: () => t('admin_live_lead'), load: () => import('./live.js') },
    { id: 'orders', title: () => t('orders'), lead: () => t('orders_lead'), load: () => import('./orders.js') },
    { id: 'events', title: () => t('cat_events'), lead: () => t('cat_events_lead'), load: () => import('./events.js') },
    { id: 'calendars', title: () => t('cat_calendars'), lead: () => t('cat_calendars_lead'), load: () => import('./calendars.js') },
    { id: 'groups', title: () => t('cat_groups'), lead: () => t('cat_groups_lead'), load: () => import('./groups.js') },
    { id: 'codes', title: () => t('codes'), lead: () => t('codes_lead'), load: () => import('./codes.js') },
    { id: 'find', title: () => t('admin_find'), lead: () => t('admin_find_lead'), load: () => import('./find.js') },
    { id: 'rooms', title: () => t('admin_rooms'), lead: () => t('admin_rooms_lead'), load: () => import('./rooms.js') },
    { id: 'refunds', title: () => t('admin_refunds'), lead: () => t('admin_refunds_lead'), load: () => import('./refunds.js') },
    { id: 'payments', title: () => t('admin_payments'), lead: () => t('admin_payments_lead'), load: () => import('./payments.js') },
    { id: 'keys', title: () => t('keys'), lead: () => t('keys_lead'), load: () => import('./keys.js') },
    { id: 'hooks', title: () => t('admin_hooks'), lead: () => t('admin_hooks_lead'), load: () => import('./hooks.js') },
    { id: 'funnel', title: () => t('admin_funnel'), lead: () => t('admin_funnel_lead'), load: () => import('./funnel.js') },
    { id: 'ages', title: () => t('admin_ages'), lead: () => t('admin_ages_lead'), load: () => import('./ages.js') },
    { id: 'audit', title: () => t('audit'), lead: () => t('audit_lead'), load: () => import('./audit.js') },
    { id: 'health', title: () => t('admin_health'), lead: () => t('admin_health_lead'), load: () => import('./health.js') },
];
