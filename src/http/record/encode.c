/* SPDX-License-Identifier: Apache-2.0 */
#include "http/record/encode.h"

#include "http/record/member.h"

void encode_id(const char of[4], struct id id, char out[ENCODE_ID_SIZE])
{
    memcpy(out, of, 4);
    id_write(id, out + 4);
}

bool encode_id_read(const char of[4], struct text text, struct id *out)
{
    return text.size == ENCODE_ID_SIZE && memcmp(text.at, of, 4) == 0 &&
           id_read(text.at + 4, text.size - 4, out);
}

void encode_id_member(struct json_writer *w, const char *key, const char of[4], struct id id)
{
    char text[ENCODE_ID_SIZE];
    encode_id(of, id, text);
    member_text(w, key, id_none(id) ? (struct text){0} : (struct text){text, sizeof(text)});
}
