/* small-session.h: trace of a few events, for tests of plug-ins
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

/* Process 10 "client" (threads 10, 11 "helper") and process 20 "server" take turns on one CPU, from
 * 1000 to 10000 ns. */
TbTrace *small_session_open (void);
