/* tb-paths-disk-waits.h: waits for the disk, with what kernel threads do for them meanwhile
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-contributor.h"

G_BEGIN_DECLS

/* The box in which a thread waits for the disk, where a box is that wait or a part of it: what a
 * kernel thread does for the request. TB_ID_NONE: none. */
guint32 tb_paths_find_disk_wait (const TbPathsCategorizer *categorizer, gsize box);

/* Adds what kernel threads do in a part of a wait for the disk to the contributor that waits. wait:
 * the box of the wait; box: that of the part. */
void tb_paths_add_disk_wait (TbPathsContributor *contributor,
                             const TbPathsCategorizer *categorizer,
                             guint32 wait,
                             gsize box,
                             const TbPathsSegment *segment);

/* Adds the part of a run in which a request of the thread that it waits for next is in service. To
 * run faster then would only make that wait longer. */
void tb_paths_add_disk_overlap (TbPathsContributor *contributor,
                                const TbPathsCategorizer *categorizer,
                                gsize box,
                                const TbPathsSegment *segment);

/* The category of a part that counts for the contributor that waits. is_work: a kernel thread does
 * it. */
TbPathsCategory tb_paths_get_disk_wait_category (TbPathsCategory category, gboolean is_work);

/* Whether most of its waits for the disk are for memory that was swapped out, or for other memory
 * to be swapped out. */
gboolean tb_paths_is_swapping (const TbPathsContributor *of);

/* "waiting for the disk in fsync, for /var/a and 2 more". function: nullable. */
char *tb_paths_describe_disk_wait (TbSession *session,
                                   const TbPathsContributor *of,
                                   const char *function);
/* How long it ran while the disk worked for its next wait; 0 where that is a small part of its
 * waits. */
gint64 tb_paths_get_disk_overlap (const TbPathsContributor *of);

/* "for 15 ms of that, kernel threads waited for a CPU; it ran for 30 ms more while the disk worked
 * for it"; NULL where both are small parts. */
char *tb_paths_describe_disk_work (const TbPathsContributor *of);

G_END_DECLS
