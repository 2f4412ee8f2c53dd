/* tb-capture-rewrite.h: encoded records in the buffer of a flight recorder: reading without checks,
 * and renumbering of their stack and sleep ids in place
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"

/* For code that buffers its own encoded records before they are sent. Unlike the decoder, these
 * functions check nothing. */

/* Total length of an encoded record. */
size_t tb_capture_rewrite_get_size (const void *data);
/* The tail points into data; words in it have the byte order of the stream. */
void tb_capture_rewrite_read (const void *data, TbCaptureRecord *record);
/* Subtracts stacks and sleeps from the ids of stacks and sleeps, in definitions and references; 0
 * is unchanged. An id that is not greater than the subtracted number refers to a dropped stack or
 * sleep and becomes 0. */
void tb_capture_rewrite_renumber (void *data, uint32_t stacks, uint32_t sleeps);
