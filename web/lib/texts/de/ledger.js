/* SPDX-License-Identifier: Apache-2.0 */
/* ledger.js — the texts of the ledger in /admin, in German: totals, discrepancies, one payment, the provider's events; part of de.js. */
export default {
    ledger_totals: 'Summen in {currency}',
    ledger_received: 'Eingegangen',
    ledger_kept: 'Für Verkäufe einbehalten',
    ledger_returned: 'Zurückgezahlt',
    ledger_owed: 'Käufern geschuldet',
    ledger_events: 'Ereignisse',
    ledger_what_to_do: 'Was zu tun ist',
    ledger_to_refunds: 'Offene Erstattungen',

    /* What to do about a discrepancy */
    ledger_do_unknown_reservation: 'Jemand hat für eine Buchung bezahlt, die es nicht gibt. Erstatten Sie die Zahlung beim Zahlungsdienst, und haken Sie sie dann als erstattet ab.',
    ledger_do_over_returned: 'Prüfen Sie die Erstattungen dieser Zahlung beim Zahlungsdienst. Wurde eine doppelt ausgeführt, bitten Sie den Käufer, sie zurückzuzahlen. Mehr ist nicht offen.',
    ledger_do_disputed: 'Beantworten Sie den Widerspruch beim Zahlungsdienst. Erstatten Sie diese Zahlung nicht: Die Bank des Käufers entscheidet.',
    ledger_do_currency: 'Der Verkauf ist bestätigt, aber die Zahlung kam in einer anderen Währung als der Preis. Lassen Sie es so, oder erstatten Sie den Verkauf und verkaufen Sie neu.',
    ledger_do_short: 'Beim Zahlungsdienst ist weniger eingegangen, als der Shop gemeldet hat. Fordern Sie den fehlenden Betrag mit einer weiteren Zahlung an, oder erstatten Sie den Verkauf.',
    ledger_do_gone_back: 'Das Geld ging zurück, aber die Plätze sind noch verkauft. Fordern Sie es mit einer weiteren Zahlung neu an, oder erstatten Sie den Verkauf, damit die Plätze frei werden.',

    /* One payment */
    ledger_back: 'Alle Zahlungen',
    ledger_status: 'Status',
    ledger_status_begun: 'Begonnen, nichts eingegangen',
    ledger_status_failed: 'Fehlgeschlagen',
    ledger_status_received: 'Eingegangen',
    ledger_source: 'Betrag gemeldet von',
    ledger_source_provider: 'Zahlungsdienst',
    ledger_source_app: 'Ihrem Shop',
    ledger_source_assumed: 'Noch niemandem: aus dem Preis angenommen',
    ledger_first: 'Zuerst erfasst',
    ledger_last: 'Letzte Änderung',
    ledger_reservation: 'Buchung',
    ledger_history: 'Ereignisse dieser Zahlung',
    ledger_history_none: 'Der Zahlungsdienst hat zu dieser Zahlung kein Ereignis gesendet.',

    /* What the provider sent */
    ledger_result: 'Ergebnis',
    ledger_result_all: 'Alle Ergebnisse',
    ledger_result_confirmed: 'Verkauf bestätigt',
    ledger_result_refund_due: 'Erstattung fällig',
    ledger_result_repeated: 'Schon bekannt',
    ledger_result_ignored: 'Ignoriert',
    ledger_result_unknown_reservation: 'Unbekannte Buchung',
    ledger_result_amount_mismatch: 'Falscher Betrag',
    ledger_result_currency_mismatch: 'Falsche Währung',
    ledger_result_rejected: 'Verkauf abgelehnt',
    ledger_result_recorded: 'Erfasst',
    ledger_result_failed: 'Zahlung fehlgeschlagen',
    ledger_result_returned: 'Geld zurückgezahlt',
    ledger_result_payment_used: 'Gehört zu einem anderen Verkauf',
    ledger_do_rejected: 'Ihr Shop hat diese Zahlung zu einem Verkauf gemeldet, der abgelehnt wurde. Verwenden Sie sie für einen anderen Verkauf, oder erstatten Sie sie beim Zahlungsdienst.',
    ledger_event_hold: 'Zahlung eines abgelehnten Verkaufs',
    ledger_events_none: 'Keine Ereignisse des Zahlungsdienstes',
    ledger_events_none_why: 'Signierte Ereignisse des Zahlungsdienstes erscheinen hier mit ihrem Ergebnis.',

    /* Refunds due */
    ledger_refund_id: 'Verwenden Sie diese Kennung beim Zahlungsdienst als Idempotenzschlüssel:',
    ledger_refund_disputed: 'Zahlen Sie dies nicht zurück: Die Bank des Käufers entscheidet über den Widerspruch.',
    ledger_refund_assumed: 'Der Betrag ist angenommen. Sehen Sie die Zahlung beim Zahlungsdienst nach, bevor Sie erstatten.',
};
