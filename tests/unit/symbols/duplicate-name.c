/* duplicate-name.c: function with the same name as a function in another file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <unistd.h>

static __attribute__ ((noinline, noclone)) int
namesake (int x)
{
  return getppid () + x;
}

int call_other_namesake (int x);

int
call_other_namesake (int x)
{
  return namesake (x) * 2;
}
