/* tb-capture-rewrite.h: records that one wrote oneself, read and changed where they lie
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"

/* For whoever keeps encoded records before they are sent: nothing is checked here, unlike in the decoder. */

/* The whole length of an encoded record. */
size_t tb_capture_rewrite_get_size (const void *data);
/* The tail points into data, and words of it are in the stream's byte order. */
void tb_capture_rewrite_read (const void *data, TbCaptureRecord *record);
/* Subtracts from the ids of stacks and sleeps, where they are defined and where they are referred to; 0 stays. A reference
 * to one that is let go, which is not above what is subtracted, becomes 0. */
void tb_capture_rewrite_renumber (void *data, uint32_t stacks, uint32_t sleeps);
