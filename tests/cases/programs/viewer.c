/* viewer.c: a viewer of pictures that another process decodes, with requests through a pipe
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: viewer PICTURES STEPS [fixed]
 *
 * The decoder is a separate process, as is good practice for untrusted files. It computes STEPS for
 * each picture, with "fixed" half of that, and sends back 128 KiB, twice the capacity of the pipe.
 * The viewer computes STEPS / 3 to show the picture. Reports "work" (pictures) and "wall".
 */

#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "measure.h"

#define PICTURE_SIZE 131072

static char picture[PICTURE_SIZE];

static bool
write_all (int file, const char *data, size_t length)
{
  while (length > 0)
    {
      ssize_t written = write (file, data, length);

      if (written <= 0)
        return false;
      data += written;
      length -= (size_t) written;
    }
  return true;
}

static bool
read_all (int file, char *data, size_t length)
{
  while (length > 0)
    {
      ssize_t got = read (file, data, length);

      if (got <= 0)
        return false;
      data += got;
      length -= (size_t) got;
    }
  return true;
}

__attribute__ ((noinline)) static void
decode (uint64_t steps)
{
  compute (steps);
  memset (picture, 'p', sizeof picture);
}

/* Answers requests until the pipe is closed. */
static int
be_decoder (int requests, int answers, uint64_t steps)
{
  long number;

  prctl (PR_SET_NAME, "decoder");
  while (read_all (requests, (char *) &number, sizeof number))
    {
      decode (steps);
      if (!write_all (answers, picture, sizeof picture))
        return 1;
    }
  return 0;
}

__attribute__ ((noinline)) static bool
load_picture (int questions, int answered, long number)
{
  return write_all (questions, (const char *) &number, sizeof number)
         && read_all (answered, picture, sizeof picture);
}

__attribute__ ((noinline)) static void
show_picture (uint64_t steps)
{
  compute (steps / 3);
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  int questions[2], answers[2], status = 1;
  bool is_fixed;
  pid_t decoder;
  uint64_t steps;
  long n_pictures;

  if (argc < 3)
    return 2;
  n_pictures = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  is_fixed = argc > 3 && strcmp (argv[3], "fixed") == 0;
  if (pipe (questions) < 0 || pipe (answers) < 0 || (decoder = fork ()) < 0)
    return 1;
  if (decoder == 0)
    {
      close (questions[1]);
      close (answers[0]);
      return be_decoder (questions[0], answers[1], is_fixed ? steps / 2 : steps);
    }
  close (questions[0]);
  close (answers[1]);
  for (long i = 0; i < n_pictures; i++)
    {
      if (!load_picture (questions[1], answers[0], i))
        return 1;
      show_picture (steps);
    }
  close (questions[1]);
  if (waitpid (decoder, &status, 0) < 0 || status != 0)
    return 1;
  report ("work", n_pictures);
  report ("wall", wall_ns () - begin);
  return 0;
}
