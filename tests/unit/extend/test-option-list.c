/* test-option-list.c: test of comma-separated lists with names that contain commas
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "extend/options/tb-option.h"

#define N_RANDOM 20000

/* elements: separated by '
 * '. */
static void
test_split (void)
{
  static const struct
  {
    const char *text;
    const char *elements;
  } cases[] = {
    { "a", "a" },
    { "a,b", "a|b" },
    { "a,,b,", "a||b|" },
    { "spin:12:f(int, long),spin:13", "spin:12:f(int, long)|spin:13" },
    { "lock:heap * (foo<int, long>)=free,cpus=4", "lock:heap * (foo<int, long>)=free|cpus=4" },
    { "std::map<int, std::pair<a, b> >::at(int const&, int)[1, 2],x",
      "std::map<int, std::pair<a, b> >::at(int const&, int)[1, 2]|x" },
    /* A character of an edge, or an unmatched one, is no bracket. */
    { "edge:A>B*0.5,edge:C>D=ahead", "edge:A>B*0.5|edge:C>D=ahead" },
    { "a(b,c", "a(b|c" },
    { "a)b,c(d", "a)b|c(d" },
    { "(a<b,c),d", "(a<b,c)|d" },
    { "(a,b<c),d>e", "(a,b<c)|d>e" },
    { "f(a -> b, c),d", "f(a -> b, c)|d" },
    { "<T as U<A, B>>::f,g", "<T as U<A, B>>::f|g" },
    { "fn<(A) -> B, C>::x,y", "fn<(A) -> B, C>::x|y" },
    /* Operators are names. */
    { "operator<(A, B),edge:A>B*1", "operator<(A, B)|edge:A>B*1" },
    { "operator<< <int, long>(a, b),c", "operator<< <int, long>(a, b)|c" },
    { "A::operator()(int, long),b", "A::operator()(int, long)|b" },
    { "A::operator->() const,b>c", "A::operator->() const|b>c" },
    { "operator,(A, B),c", "operator,(A, B)|c" },
    { "operator,c", "operator|c" },
    { "my_operator<a, b>,c", "my_operator<a, b>|c" },
    { "operator new(unsigned long, int),c", "operator new(unsigned long, int)|c" },
    /* A backslash escapes these characters. Before any other character it stands for itself. */
    { "a\\,b,c", "a,b|c" },
    { "a\\(b,c)", "a(b|c)" },
    { "a\\<b,edge:c>d", "a<b|edge:c>d" },
    { "a\\\\,b", "a\\|b" },
    { "a\\x2d,b\\", "a\\x2d|b\\" },
  };
  g_auto (GStrv) none = tb_option_split_list ("");

  g_assert_cmpuint (g_strv_length (none), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) elements = tb_option_split_list (cases[i].text);
      g_autofree char *joined = g_strjoinv ("|", elements);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpstr (joined, ==, cases[i].elements);
    }
}

/* Text without special characters stays as it is. */
static void
test_join (void)
{
  static const char *const plain[]
      = { "f(int, long)",    "edge:A>B*0.5", "lock:heap * (foo<int, long>)=free",
          "operator<(A, B)", "a\\x2d",       NULL };
  static const char *const other[] = { "a,b", "c(", "d\\", "operator", "(e", NULL };
  g_autofree char *plain_text = tb_option_join_list (plain);
  g_autofree char *other_text = tb_option_join_list (other);
  g_auto (GStrv) again = tb_option_split_list (other_text);

  g_assert_cmpstr (
      plain_text, ==,
      "f(int, long),edge:A>B*0.5,lock:heap * (foo<int, long>)=free,operator<(A, B),a\\x2d");
  g_assert_cmpstrv (again, (char **) other);
}

/* Any elements, once joined, can be split again. */
static void
test_random (void)
{
  static const char *const parts[]
      = { "a", ",", "(", ")", "<", ">", "[", "]", "\\", "-", "operator", "=" };

  for (guint i = 0; i < N_RANDOM; i++)
    {
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
      g_auto (GStrv) elements = NULL;
      g_auto (GStrv) again = NULL;
      g_autofree char *text = NULL;

      for (int j = g_test_rand_int_range (1, 4); j > 0; j--)
        {
          g_autoptr (GString) element = g_string_new ("e");

          for (int k = g_test_rand_int_range (0, 8); k > 0; k--)
            g_string_append (element, parts[g_test_rand_int_range (0, G_N_ELEMENTS (parts))]);
          g_strv_builder_add (builder, element->str + g_test_rand_bit ());
        }
      elements = g_strv_builder_end (builder);
      if (g_strv_length (elements) == 1 && *elements[0] == '\0')
        continue;
      text = tb_option_join_list ((const char *const *) elements);
      again = tb_option_split_list (text);
      g_assert_cmpstrv (again, elements);
    }
}

/* A long text of brackets takes no more time than any other text. */
static void
test_long (void)
{
  g_autofree char *text = g_malloc (400001);
  g_auto (GStrv) elements = NULL;

  memset (text, '(', 200000);
  memset (text + 200000, '>', 200000);
  text[400000] = '\0';
  elements = tb_option_split_list (text);
  g_assert_cmpuint (g_strv_length (elements), ==, 1);
  g_assert_cmpstr (elements[0], ==, text);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/option-list/split", test_split);
  g_test_add_func ("/option-list/join", test_join);
  g_test_add_func ("/option-list/random", test_random);
  g_test_add_func ("/option-list/long", test_long);
  return g_test_run ();
}
