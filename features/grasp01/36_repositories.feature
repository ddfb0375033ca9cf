Feature: Several repositories of one author
  What is said of one repository holds for that one alone, whatever else its author has.

  @G01-PUSH-02.elsewhere
  Scenario: an older held state of another repository of the owner authorizes nothing here
    Given the owner announced the repository "other"
    And the owner published the state of the repository "other":
      | refs/heads/main | second |
    And the owner's repository is served with:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same push to the owner's repository "other" is accepted

  @G01-PUSH-02.elsewhere-newer
  Scenario: a newer held state of another repository of the owner authorizes nothing here
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner announced the repository "other"
    And the owner published the state of the repository "other":
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same push to the owner's repository "other" is accepted

  @G01-PUSH-02.elsewhere-held
  Scenario: a state for another repository of the owner authorizes nothing where both wait
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the owner announced the repository "other"
    And the owner published the state of the repository "other":
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push to the owner's repository "other" is accepted

  @G01-PUSH-02.elsewhere-served
  Scenario: a served state of another repository of the owner authorizes nothing here
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner's repository "other" is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When a client pushes:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    Then the push is refused
    And the owner's repository still has exactly:
      | refs/heads/main | first |
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |

  @G01-PUSH-02.elsewhere-next
  Scenario: the next state of another repository of the owner authorizes nothing here
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner's repository "other" is served with:
      | refs/heads/main | first |
    And the owner published the state of the repository "other":
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the owner's repository still has exactly:
      | refs/heads/main | first |
    But the same push to the owner's repository "other" is accepted

  @N01-REP-01.identifier
  Scenario: a second repository that becomes served replaces nothing of the first
    Given the owner's repository "one" is served with:
      | refs/heads/main | first |
    When the owner announces the repository "other"
    Then the event is accepted
    And the owner published the state "other" of the repository "other":
      | refs/heads/main | second |
    And a client pushed to the owner's repository "other":
      | refs/heads/main | second |
    And the announcement "other" is served
    And the state "other" is served
    And the announcement "one" is still served
    And the state "one" is still served
    And the owner's repository "one" still has exactly:
      | refs/heads/main | first |

  @N01-REP-01.identifier-held
  Scenario: of two repositories that wait neither takes the place of the other
    Given the owner announced the repository "one"
    And the owner published the state "one" of the repository "one":
      | refs/heads/main | first |
    And the owner announced the repository "other"
    And the owner published the state "other" of the repository "other":
      | refs/heads/main | second |
    When a client pushes to the owner's repository "one":
      | refs/heads/main | first |
    Then the push succeeds
    When a client pushes to the owner's repository "other":
      | refs/heads/main | second |
    Then the push succeeds
    And the announcement "one" is served
    And the announcement "other" is served
    And the announcement "one" is still served
    And the state "one" is still served
    And the state "other" is served
    And the owner's repository "one" has exactly:
      | refs/heads/main | first |
    And the owner's repository "other" has exactly:
      | refs/heads/main | second |

  @N01-REP-01.identifier-state
  Scenario: a newer state of one repository replaces none of another
    Given the owner's repository "one" is served with:
      | refs/heads/main | first |
    And the owner's repository "other" is served with:
      | refs/heads/main | first |
    When the owner publishes the state "newer" of the repository "other":
      | refs/heads/main | second |
    Then the event is accepted
    And a client pushed to the owner's repository "other":
      | refs/heads/main | second |
    And the state "newer" is served
    And the state "other" is not served any more
    And the state "one" is still served
    And the owner's repository "one" still has exactly:
      | refs/heads/main | first |

  @G01-MNT-04.identifier
  Scenario: a maintainer of one repository has no authority over another one
    Given the owner announced the repository "other" naming the maintainer
    And the maintainer announced the repository "other" naming the owner
    And the owner's repository is served with:
      | refs/heads/main | first |
    And the maintainer sent the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same push to the owner's repository "other" is accepted once the maintainer published its state

  @G01-MNT-04.identifier-later
  Scenario: naming a maintainer elsewhere later gives no authority here
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner announced the repository "other" naming the maintainer
    And the maintainer announced the repository "other" naming the owner
    And the maintainer sent the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same push to the owner's repository "other" is accepted once the maintainer published its state

  @G01-MNT-04.identifier-hops
  Scenario: whom a maintainer names elsewhere has no authority here
    Given the maintainer announced the repository "other" naming the owner and the second maintainer
    And the second maintainer announced the repository "other" naming the maintainer
    And the owner announced the repository "other" naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the second maintainer sent the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same push to the owner's repository "other" is accepted once the second maintainer published its state

  @G01-GIT-01.many
  Scenario: a repository answers on when its owner has announced twenty others
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When 20 announcements by the owner arrive
    Then the repository still has exactly:
      | refs/heads/main | first |
    And the announcement is still served
    And the owner published the state:
      | refs/heads/main | second |
    And a client pushes:
      | refs/heads/main | second |
    And the push succeeds
