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
#define TB_ID_NONE ((guint32) 0xffffffff)

/**
 * TB_THREAD_IDLE:
 *
 * The id of the idle task of every CPU. It is thread 0 of every session.
 */
#define TB_THREAD_IDLE 0u

/**
 * TB_STACK_NONE:
 *
 * The id of the empty stack: no stack was recorded.
 */
#define TB_STACK_NONE 0u

/**
 * TB_STRING_NONE:
 *
 * The id of the empty string: the text is unknown.
 */
#define TB_STRING_NONE 0u

/**
 * TB_TIME_NONE:
 *
 * The value of a time column for "unknown": the end of a call that had not ended, or the start of a
 * thread that existed before the recording. Times of events are never negative.
 */
#define TB_TIME_NONE G_GINT64_CONSTANT (-1)
