/* SPDX-License-Identifier: Apache-2.0 */
#include "http/access/credentials.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/frame.h"
#include "base/logging.h"
#include "base/crypto/random.h"
#include "base/crypto/token.h"

#define ADMIN_KEY_SIZE_MIN 16
#define TICKET_KEY "HOLDFAST_TICKET_KEY"
#define RANDOM_BYTES 32 /* of a generated key; twice as many hexadecimal digits */

bool credentials_plain(const char *text)
{
    for (; *text; text++)
        if (*text <= ' ' || *text > '~')
            return false;
    return true;
}

static struct status from_environment(const char *name, const char *value, char out[CREDENTIALS_SIZE_MAX])
{
    size_t size = strlen(value);
    if (size == 0 || size >= CREDENTIALS_SIZE_MAX)
        return status_make(STATUS_INVALID, "%s is empty or longer than %d bytes", name,
                           CREDENTIALS_SIZE_MAX - 1);
    memcpy(out, value, size + 1);
    return status_none();
}

/* Written and synced under another name first, so that a crash never leaves half a key. */
static struct status make_file(const char *path)
{
    char temporary[PATH_MAX];
    uint8_t bytes[RANDOM_BYTES];
    char text[2 * RANDOM_BYTES + 2];
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.new", path) >= sizeof temporary)
        return status_make(STATUS_INVALID, "the path %s is too long", path);
    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    text[sizeof text - 2] = '\n';
    unlink(temporary); /* left by a crash */
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = fd >= 0 && write(fd, text, sizeof text - 1) == (ssize_t)sizeof text - 1 && fsync(fd) == 0;
    int error = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && rename(temporary, path) != 0) {
        good = false;
        error = errno;
    }
    explicit_bzero(text, sizeof text);
    explicit_bzero(bytes, sizeof bytes);
    if (!good)
        return status_make(status_of_errno(error), "cannot create %s: %s", path, strerror(error));
    log_info("credentials created", {"path", LOG_STR(path)});
    return status_none();
}

static struct status read_file(int fd, const char *path, char out[CREDENTIALS_SIZE_MAX])
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return status_make(STATUS_IO, "cannot read %s: %s", path, strerror(errno));
    if (st.st_mode & 077)
        return status_make(STATUS_INVALID, "%s is readable by others; set its mode to 0600", path);
    ssize_t size = read(fd, out, CREDENTIALS_SIZE_MAX - 1);
    if (size < 0)
        return status_make(STATUS_IO, "cannot read %s: %s", path, strerror(errno));
    while (size > 0 && (out[size - 1] == '\n' || out[size - 1] == '\r' || out[size - 1] == ' '))
        size--;
    out[size] = '\0';
    if (size == 0)
        return status_make(STATUS_INVALID, "%s is empty", path);
    return status_none();
}

LARGE_FRAME("at the start only")
static struct status from_file(const char *data, const char *name, char out[CREDENTIALS_SIZE_MAX])
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", data, name) >= sizeof path)
        return status_make(STATUS_INVALID, "the path of the data folder is too long");
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        struct status made = make_file(path);
        if (!status_ok(&made))
            return made;
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (fd < 0)
        return status_make(STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    struct status read = read_file(fd, path, out);
    close(fd);
    if (status_ok(&read))
        log_info("credentials read", {"path", LOG_STR(path)});
    return read;
}
LARGE_FRAME_END

static struct status check_size(const char *name, const char *value, size_t least)
{
    return strlen(value) >= least
               ? status_none()
               : status_make(STATUS_INVALID, "%s is too short: %zu bytes; at least %zu are needed", name,
                             strlen(value), least);
}

static struct status check_secret(const char *name, const char *secret)
{
    return check_size(name, secret, TOKEN_SECRET_SIZE_MIN);
}

static struct status check_admin_key(const char *name, const char *key)
{
    if (!credentials_plain(key))
        return status_make(STATUS_INVALID, "%s must be printable ASCII without spaces", name);
    return check_size(name, key, ADMIN_KEY_SIZE_MIN);
}

static struct status load_secrets(struct credentials *c, const char *data,
                                  const struct credentials_given *given)
{
    struct status s = given->secret ? from_environment("HOLDFAST_SECRET", given->secret, c->secret)
                                    : from_file(data, "secret", c->secret);
    if (status_ok(&s))
        s = check_secret(given->secret ? "HOLDFAST_SECRET" : "the secret in the data folder", c->secret);
    if (!status_ok(&s) || !given->secret_old)
        return s;
    s = from_environment("HOLDFAST_SECRET_OLD", given->secret_old, c->secret_old);
    return status_ok(&s) ? check_secret("HOLDFAST_SECRET_OLD", c->secret_old) : s;
}

static struct status read_ticket_keys(struct ticket_keys *keys, const char *name, const char *text)
{
    return ticket_keys_read(keys, text) ? status_none()
                                        : status_make(STATUS_INVALID,
                                                      "%s: expected 1 to %d different keys of 64 hexadecimal "
                                                      "digits, the signing key first",
                                                      name, TICKET_KEYS_MAX);
}

static struct status load_ticket_keys(struct ticket_keys *keys, const char *data, const char *given)
{
    char text[CREDENTIALS_SIZE_MAX];
    struct status s = given ? from_environment(TICKET_KEY, given, text) : from_file(data, "ticket.key", text);
    if (status_ok(&s))
        s = read_ticket_keys(keys, given ? TICKET_KEY : "ticket.key in the data folder", text);
    explicit_bzero(text, sizeof text);
    return s;
}

LARGE_FRAME("at the start only")
struct status credentials_check(const struct credentials_given *given)
{
    char text[CREDENTIALS_SIZE_MAX];
    struct status s = status_none();
    if (given->admin_key)
        s = from_environment("HOLDFAST_ADMIN_KEY", given->admin_key, text);
    if (status_ok(&s) && given->admin_key)
        s = check_admin_key("HOLDFAST_ADMIN_KEY", text);
    if (status_ok(&s) && given->secret)
        s = check_secret("HOLDFAST_SECRET", given->secret);
    if (status_ok(&s) && given->secret_old)
        s = check_secret("HOLDFAST_SECRET_OLD", given->secret_old);
    struct ticket_keys keys;
    if (status_ok(&s) && given->ticket_key)
        s = read_ticket_keys(&keys, TICKET_KEY, given->ticket_key);
    ticket_keys_wipe(&keys);
    explicit_bzero(text, sizeof text);
    return s;
}
LARGE_FRAME_END

struct status credentials_load(struct credentials *c, const char *data, const struct credentials_given *given)
{
    *c = (struct credentials){0};
    struct status s = given->admin_key
                          ? from_environment("HOLDFAST_ADMIN_KEY", given->admin_key, c->admin_key)
                          : from_file(data, "admin.key", c->admin_key);
    if (!status_ok(&s))
        return s;
    s = check_admin_key(given->admin_key ? "HOLDFAST_ADMIN_KEY" : "the admin key in the data folder",
                        c->admin_key);
    if (status_ok(&s))
        s = load_secrets(c, data, given);
    return status_ok(&s) ? load_ticket_keys(&c->ticket_keys, data, given->ticket_key) : s;
}

enum token_verdict credentials_verify(const struct credentials *c, const char *token, size_t size,
                                      const char *audience, int64_t now_ms, struct token_claims *claims,
                                      bool (*visit)(void *owner, const struct json_member *claim),
                                      void *owner)
{
    enum token_verdict verdict =
        token_verify(token, size, c->secret, strlen(c->secret), audience, now_ms, claims, visit, owner);
    if (verdict != TOKEN_FORGED || !c->secret_old[0]) /* only then may the old one have signed it */
        return verdict;
    return token_verify(token, size, c->secret_old, strlen(c->secret_old), audience, now_ms, claims, visit,
                        owner);
}

void credentials_wipe(struct credentials *c)
{
    explicit_bzero(c, sizeof *c);
}
