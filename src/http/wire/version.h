/* SPDX-License-Identifier: Apache-2.0 */
/* version.h — the version of the program, shown by --version and /openapi.json. */
#ifndef HTTP_VERSION_H
#define HTTP_VERSION_H

#define HOLDFAST_VERSION "0.1.0"

#endif
