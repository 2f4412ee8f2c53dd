/* test-closing.c: closing a window, which does not wait for its recordings to be freed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-fixture.h"
#include "shell/tb-deferred-release.h"
#include "widgets/tb-figure-view.h"

#define N_RECORDINGS 2
#define LEAST_VIEWS 3

static guint n_views; /* views that are not finalized yet */

static void
view_gone (gpointer unused, GObject *where)
{
  n_views--;
}

/* Counts the outermost figure views, the parts into which a closed page is divided. */
static void
watch_views (GtkWidget *widget)
{
  if (TB_IS_FIGURE_VIEW (widget))
    {
      n_views++;
      g_object_weak_ref (G_OBJECT (widget), view_gone, NULL);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    watch_views (child);
}

static GFile *
copy_inbox (guint i)
{
  g_autoptr (GFile) inbox = shell_inbox ();
  g_autofree char *name = g_strdup_printf ("inbox-%u.csv", i);
  GFile *copy = shell_temporary (name);
  g_autoptr (GError) error = NULL;

  g_file_copy (inbox, copy, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return copy;
}

static gboolean
is_dropped (gpointer unused)
{
  return tb_release_is_done ();
}

/* The window closes at once. The views of its recordings are then freed one per step, with
 * iterations of the main loop between them; their data follows. */
static void
test_window (void)
{
  TbWindow *other = shell_new_window (), *window = shell_new_window ();
  gpointer left = window, documents[N_RECORDINGS];
  guint before, most = 0;

  for (guint i = 0; i < N_RECORDINGS; i++)
    {
      g_autoptr (GFile) file = copy_inbox (i);

      documents[i] = shell_open (window, file);
      g_object_add_weak_pointer (documents[i], &documents[i]);
    }
  shell_wait (is_dropped, NULL, "what was dropped before");
  watch_views (GTK_WIDGET (window));
  g_assert_cmpuint (n_views, >=, LEAST_VIEWS * N_RECORDINGS);

  g_object_add_weak_pointer (G_OBJECT (window), &left);
  before = n_views;
  gtk_window_close (GTK_WINDOW (window));
  g_assert_cmpuint (n_views, ==, before);
  while (left != NULL || !tb_release_is_done ())
    {
      before = n_views;
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (1000); /* lets the thread free their data */
      most = MAX (most, before - n_views);
    }
  g_assert_cmpuint (n_views, ==, 0);
  g_assert_cmpuint (most, ==, 1);
  for (guint i = 0; i < N_RECORDINGS; i++)
    g_assert_null (documents[i]);
  shell_close_window (other);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/closing/window", test_window);
  return g_test_run ();
}
