/* tb-paths-contributor.c: what one program did in the paths: order of its files and peers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-paths-contributor.h"

int
tb_paths_compare_objects (gconstpointer a, gconstpointer b)
{
  const TbPathsObject *one = a, *two = b;

  if (one->ns != two->ns)
    return one->ns > two->ns ? -1 : 1;
  return one->string < two->string ? -1 : one->string > two->string;
}
