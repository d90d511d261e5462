/* SPDX-License-Identifier: Apache-2.0 */
#include "http/gate/gate_scripts.h"

#define TEXT_OF(number) #number
#define NUMBER(number) TEXT_OF(number)

/* Reading cannot fail: pcall answers a key of another type with a table. */
#define READ                                                                                                 \
    "local function read(key) "                                                                              \
    "  local value = redis.pcall('GET', key) "                                                               \
    "  if not value then return nil end "                                                                    \
    "  if type(value) ~= 'string' then return '', '' end "                                                   \
    "  local user, mark = string.match(value, '^([^\\n]*)\\n(%w+)$') "                                       \
    "  return user or '', mark or '' "                                                                       \
    "end "                                                                                                   \
    "local function fence_of(mark) "                                                                         \
    "  return mark and string.match(mark, '^%d+$') and tonumber(mark) "                                      \
    "end "

/* clang-format off */
const char *const gate_scripts[GATE_SCRIPT_COUNT + 1] = {
    [GATE_TAKE] = READ
        "local me, mine, applied = ARGV[1], ARGV[1] .. '\\ni' .. ARGV[2], tonumber(ARGV[3]) "
        "local answer, keep = {0}, {} "
        "for i, key in ipairs(KEYS) do "
        "  local user, mark = read(key) "
        "  if user then "
        "    local left, fence = redis.call('PTTL', key), fence_of(mark) "
        "    local asked = string.match(mark, '^i%x+$') and #mark == 17 and left > 0 and left <= " NUMBER(GATE_INTENT_MS) " "
        "    local granted = fence and fence > applied and left <= " NUMBER(GATE_GRANT_MS)
        "      and left > " NUMBER(GATE_GRANT_MS) " - " NUMBER(GATE_INTENT_MS) " "
        "    if not asked and not granted then answer[1] = answer[1] + 1 "
        "    elseif user ~= me then answer[#answer + 1] = i - 1 "
        "    else keep[i] = granted end "
        "  end "
        "end "
        "if #answer > 1 then answer[1] = 0 return answer end "
        "for i, key in ipairs(KEYS) do "
        "  if not keep[i] then redis.call('SET', key, mine, 'PX', " NUMBER(GATE_INTENT_MS) ") end "
        "end "
        "return answer",
    [GATE_GIVE_BACK] =
        "for _, key in ipairs(KEYS) do "
        "  if redis.pcall('GET', key) == ARGV[1] then redis.call('DEL', key) end "
        "end "
        "return 0",
    [GATE_MIRROR] = READ
        "local missing = {} "
        "for i, key in ipairs(KEYS) do "
        "  local op, number = string.sub(ARGV[2 * i - 1], 1, 1), tonumber(string.sub(ARGV[2 * i - 1], 2)) "
        "  local user, mark = read(key) "
        "  local fence = user and fence_of(mark) "
        "  if op == 'e' then "
        "    if fence and fence < number then redis.call('DEL', key) end "
        "  elseif op ~= 'k' or fence ~= number or redis.call('PTTL', key) < " NUMBER(GATE_GRANT_MS) " / 2 then "
        "    local left = fence and fence > number and redis.call('PTTL', key) or 0 "
        "    local later = left > 0 and left <= " NUMBER(GATE_GRANT_MS) " "
        "    if not later and op == 's' then "
        "      redis.call('SET', key, ARGV[2 * i] .. '\\n' .. string.sub(ARGV[2 * i - 1], 2), 'PX', " NUMBER(GATE_GRANT_MS) ") "
        "    elseif not later then missing[#missing + 1] = i - 1 end "
        "  end "
        "end "
        "return missing",
};
/* clang-format on */
