/* SPDX-License-Identifier: Apache-2.0 */
/* payment_news.h — what an event of the payment provider says becomes facts of its payment (payment.h).
 *
 *   success, failure       name their reservation; those that name none are not ours
 *   refund, dispute        go by the payment alone
 *
 * Each is a fact that adds up the same in any order: the greatest success, the greatest total that went back, sums of what
 * is told once each (payment_event_image.once).
 */
#ifndef CORE_PAYMENT_NEWS_H
#define CORE_PAYMENT_NEWS_H

#include "core/step.h"

/* What it is about is in memory, as far as there is any: OK. Else FETCH, and the outcome says what is lacking. */
enum outcome_code payment_news_look_up(struct step *step, struct outcome *out);
/* Of an event that was not seen before: what it says is done. OK and *result; or FETCH, RETRY. */
enum outcome_code payment_news_take(struct step *step, enum payment_result *result, struct outcome *out);

#endif
