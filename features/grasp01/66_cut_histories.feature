Feature: Less than all of a repository
  A client may have a history end where it likes: so many commits deep, at a date, or where another ref begins. And who has cloned
  without files goes on without them.

  @G01-GIT-05.further
  Scenario Outline: who has cloned with the filter <filter> is brought up to date so in protocol version <version>
    Given the lighthouse is served
    Then a clone of its first commit can be brought up to date with the filter <filter> in protocol version <version>, without any <object>

    Examples:
      | id      | filter    | object | version |
      | blob-v0 | blob:none | file   | 0       |
      | blob-v2 | blob:none | file   | 2       |
      | tree-v2 | tree:0    | tree   | 2       |

  @G01-GIT-09.merge
  Scenario Outline: a depth is counted in steps from the commit that is asked for, on all lines of a history, in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | merge |
    Then a fetch of the commit merge to a depth of 2 in protocol version <version> brings the commits merge, second and side alone
    And a fetch of the commit merge to a depth of 3 in protocol version <version> brings the commits merge, second, side and first alone

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-09.tag
  Scenario Outline: the depth of an annotated tag is counted from the commit that it points to, in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | third |
      | refs/tags/v3    | last  |
    Then a fetch of the tag last to a depth of 1 in protocol version <version> brings the commit third alone
    And a fetch of the tag last to a depth of 2 in protocol version <version> brings the commits third and second alone

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  # The clone has the commit second and nothing behind it, so that first, which side needs, has to come.
  @G01-GIT-09.further
  Scenario Outline: who has a commit without what is behind it gets what another line needs of that, in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | merge |
    Then a fetch of the commit merge by a clone of depth 1 of the commit second in protocol version <version> brings the commits merge, side and first alone

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-09.relative
  Scenario Outline: a shallow clone can be deepened by one commit more in protocol version <version>
    Given the lighthouse is served
    Then a clone of depth 1 can be deepened by 1 commit in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-09.rebased
  Scenario Outline: the date of a commit is that at which it was made, in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | rebased |
    Then a fetch of the commit rebased since the date of the commit rebased in protocol version <version> brings the commit rebased alone
    And a fetch of the commit rebased since the date of the commit second in protocol version <version> brings the commits rebased and second alone

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-09.without
  Scenario Outline: what <ref> reaches can be left out of a fetch in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | third |
      | refs/heads/dev  | first |
      | refs/tags/plain | first |
      | refs/tags/v1    | tag   |
    Then a fetch of the commit third without what <ref> reaches in protocol version <version> brings the commits third and second alone

    Examples:
      | id          | ref             | version |
      | branch-v0   | dev             | 0       |
      | branch-v2   | dev             | 2       |
      | full-v0     | refs/heads/dev  | 0       |
      | full-v2     | refs/heads/dev  | 2       |
      | tag-v2      | plain           | 2       |
      | annotated-v0 | v1             | 0       |
      | annotated-v2 | v1             | 2       |
