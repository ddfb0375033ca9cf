Feature: Repository state
  A state says which commit each branch and tag is at; the latest one of the maintainer set counts.

  @N34-ST-01
  Scenario: a state names branches, tags and HEAD, and further elements mean nothing
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second            | first | unrelated |
      | refs/heads/dev  | side              |       |           |
      | refs/tags/v1    | tag               |       |           |
      | HEAD            | refs/heads/dev    |       |           |
    When a client pushes:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
    Then the push succeeds
    And the state is served
    And the repository has exactly:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | refs/tags/v1    | tag            |
      | HEAD            | refs/heads/dev |

  @N34-ST-02
  Scenario: the peeled entry of a tag is no ref
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
      | refs/tags/v1^{} | first |
    When a client pushes:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |

  @G01-LAT-01
  Scenario: a maintainer's newer state counts more than the owner's
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state dated 100:
      | refs/heads/main | side |
    And the maintainer published the state dated 200:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-LAT-01.arrival
  Scenario: time decides and not the order of arrival
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the maintainer published the state dated 200:
      | refs/heads/main | second |
    And the owner sent the state dated 100:
      | refs/heads/main | side |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-LAT-01.ties
  Scenario Outline: of two states of one time the lower id counts, the <order> one first
    Given the owner announced the repository
    And two states of one time by the owner arrived, the <order> id first
    When a client pushes what the state with the lower id says
    Then the push succeeds

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @G01-LAT-01.authors @score:should
  Scenario: of two authors' states of one time the lower id counts
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And two states of one time by the owner and the maintainer arrived
    When a client pushes what the state with the lower id says
    Then the push succeeds

  @G01-LAT-02
  Scenario: an older state that arrives later moves nothing
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state dated 200:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second |
    When the maintainer sends the state dated 100:
      | refs/heads/main | first |
    Then the repository still has exactly:
      | refs/heads/main | second |
    But the same state by the maintainer dated 300 moves the refs

  @G01-LAT-02.push
  Scenario: an older state that arrives later authorizes nothing
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state dated 200:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second |
    And the maintainer sent the state dated 100:
      | refs/heads/main | side |
    When a client pushes:
      | refs/heads/main | side |
    Then the push is refused
    But the same push is accepted once the maintainer published the state dated 300:
      | refs/heads/main | side |
