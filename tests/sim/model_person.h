/* SPDX-License-Identifier: Apache-2.0 */
/* model_person.h — the model's part for erasing people; model.h includes it. The sale stays, the person goes. */
#ifndef TESTS_SIM_MODEL_PERSON_H
#define TESTS_SIM_MODEL_PERSON_H

#include "ask.h"
#include "core/change.h"

struct model;
struct model_answer;

/* Judged, and not recorded yet: until then the old name is valid. */
struct model_erasing {
    bool asked;
    int8_t from, to;
};

/* ERASE: on success the user has left every waiting room and list. */
void model_erase(struct model *m, const struct ask *a, struct model_answer *out);
bool model_user_differs(struct text found, int user); /* translate.c */
/* It is recorded: from now on they have the other name. NULL, or what is wrong. */
const char *model_erased(struct model *m, const struct erasure_image *image);

#endif
