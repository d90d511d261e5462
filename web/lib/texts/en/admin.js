/* SPDX-License-Identifier: Apache-2.0 */
/* admin.js — the texts of /admin, in English; part of en.js. */
export default {
    /* The frame */
    admin_title: 'Admin',
    admin_views: 'Views',
    admin_key: 'Admin key',
    admin_key_why: 'Sign in with the admin key. It stays in this page: a reload asks again.',
    admin_key_where: 'Where is the key?',
    admin_key_where_why: 'In the file admin.key of the data folder, or in HOLDFAST_ADMIN_KEY if the server was started with it. The server logs the place when it makes the key.',
    admin_key_where_demo: 'The demo prints where it is when it starts.',
    admin_key_wrong: 'This key does not work',
    admin_key_wrong_why: 'The server does not know it. Check that it is whole, and that it belongs to this server.',
    admin_key_other: 'This is not the admin key',
    admin_key_other_why: 'The server knows it, but as the key of an app or a door, or as the token of a user. Only the admin key opens this page.',
    admin_key_gone: 'Signed out',
    admin_key_gone_why: 'The server no longer takes this key. Sign in with the new one.',
    admin_sign_in: 'Sign in',
    admin_signing_in: 'Signing in…',
    admin_sign_out: 'Sign out',

    /* Health */
    admin_health: 'System health',
    admin_health_lead: 'Journal, book and memory of this server.',
    admin_ready: 'Takes holds',
};
