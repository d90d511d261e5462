/* SPDX-License-Identifier: Apache-2.0 */
/* payment_news.h — turns an event of the payment provider into facts of its payment (payment.h).
 *
 *   success, failure       name their reservation; events that name none are not ours
 *   refund, dispute        name only the payment
 *
 * Facts add up the same in any order: the greatest success, the greatest total returned, sums of what counts once
 * (payment_event_image.once).
 */
#ifndef CORE_PAYMENT_NEWS_H
#define CORE_PAYMENT_NEWS_H

#include "core/step.h"

/* OK: everything the event refers to is in memory, if it exists. FETCH: the outcome says what is missing. */
enum outcome_code payment_news_look_up(struct step *step, struct outcome *out);
/* Applies an event that was not seen before. OK and *result; or FETCH, RETRY. */
enum outcome_code payment_news_take(struct step *step, enum payment_result *result, struct outcome *out);

#endif
