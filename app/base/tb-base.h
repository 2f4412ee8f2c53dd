/* tb-base.h: constants for unknown ids and times, and ids with a fixed meaning, used in the whole
 * program
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

/**
 * TB_ID_NONE:
 *
 * The value of an id column for "unknown". Ids are indices in the table of their kind and start at
 * 0. Three have a fixed meaning: thread 0 is the idle task of every CPU, stack 0 the empty stack
 * and string 0 the empty string.
 */
#define TB_ID_NONE G_MAXUINT32
#define TB_THREAD_IDLE 0u
#define TB_STACK_NONE 0u
#define TB_STRING_NONE 0u
#define TB_TIME_NONE G_GINT64_CONSTANT (-1)
