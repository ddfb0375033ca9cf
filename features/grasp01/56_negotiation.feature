Feature: What git asks
  Git tells what it has in rounds, lists the refs that it wants, claims what is offered, and writes queries and headers in more
  than one way.

  @G01-GIT-02.rounds
  Scenario Outline: a clone with <count> commits of its own is brought up to date in rounds in protocol version <version>
    Given the lighthouse is served
    Then a clone of its first commit with <count> commits of its own can be brought up to date in rounds in protocol version <version>

    Examples:
      | id        | count | version |
      | none-v0   | 0     | 0       |
      | none-v2   | 0     | 2       |
      | few-v0    | 1     | 0       |
      | few-v1    | 1     | 1       |
      | few-v2    | 1     | 2       |
      | some-v0   | 40    | 0       |
      | some-v2   | 40    | 2       |
      | many-v0   | 200   | 0       |
      | many-v1   | 200   | 1       |
      | many-v2   | 200   | 2       |
      | lots-v0   | 3000  | 0       |
      | lots-v2   | 3000  | 2       |

  @G01-GIT-19.told
  Scenario Outline: a fetch that tells <count> commits at once is answered in protocol version <version>
    Given the lighthouse is served
    Then a fetch that tells <count> commits of its own at once is answered in protocol version <version>

    Examples:
      | id       | count | version |
      | some-v0  | 40    | 0       |
      | pipe-v0  | 1500  | 0       |
      | pipe-v1  | 1500  | 1       |
      | pipe-v2  | 1500  | 2       |
      | lots-v0  | 10000 | 0       |
      | lots-v2  | 10000 | 2       |

  @G01-GIT-19.common
  Scenario Outline: a fetch that tells <count> times what both have is answered as one that tells its own in protocol version <version>
    Given the lighthouse is served
    Then a fetch that tells <count> times what both have is answered as one that tells its own in protocol version <version>

    Examples:
      | id      | count | version |
      | lots-v0 | 9000  | 0       |
      | lots-v1 | 9000  | 1       |

  @G01-GIT-02.listing
  Scenario Outline: a listing in protocol version <version> says what tags and HEAD point to
    Given the owner's repository is served with:
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | refs/tags/v1    | tag             |
      | refs/tags/v2    | outer           |
      | refs/tags/v3    | side            |
      | HEAD            | refs/heads/main |
    Then a listing in protocol version <version> tells:
      | HEAD            | refs/heads/main |
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | refs/tags/v1    | tag             |
      | refs/tags/v1^{} | first           |
      | refs/tags/v2    | outer           |
      | refs/tags/v2^{} | first           |
      | refs/tags/v3    | side            |

    Examples:
      | id | version |
      | v0 | 0       |
      | v1 | 1       |
      | v2 | 2       |

  @G01-GIT-02.listed
  Scenario Outline: a listing of <prefixes> holds all of them, whatever comes first
    Given the owner's repository is served with:
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | refs/tags/v1    | tag             |
      | HEAD            | refs/heads/main |
    Then a listing of <prefixes> in protocol version 2 tells:
      | HEAD            | refs/heads/main |
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | refs/tags/v1    | tag             |
      | refs/tags/v1^{} | first           |

    Examples:
      | id       | prefixes                      |
      | head     | HEAD, refs/heads/, refs/tags/ |
      | branches | refs/heads/, refs/tags/, HEAD |
      | tags     | refs/tags/, HEAD, refs/heads/ |
      | all      | HEAD, refs/                   |

  @G01-GIT-02.begun
  Scenario Outline: a listing of what begins with <prefixes> holds all of that
    Given the owner's repository is served with:
      | refs/heads/main   | first  |
      | refs/heads/main-2 | second |
      | refs/heads/mail/x | side   |
      | refs/heads/other  | side   |
      | refs/tags/v1      | tag    |
    Then a listing of <prefixes> in protocol version 2 tells:
      | refs/heads/main   | first  |
      | refs/heads/main-2 | second |
      | <more>            | <at>   |

    Examples:
      | id    | prefixes                         | more              | at   |
      | part  | refs/heads/ma                    | refs/heads/mail/x | side |
      | whole | refs/heads/main, refs/heads/mail | refs/heads/mail/x | side |
      | other | refs/heads/main, refs/heads/o    | refs/heads/other  | side |

  # gitprotocol-pack: "If HEAD is a valid ref, HEAD MUST appear as the first advertised ref."
  @G01-GIT-02.head @score:should
  Scenario Outline: HEAD is listed at the commit of its branch in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | HEAD            | refs/heads/dev  |
    Then HEAD is listed at the commit side in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v1 | 1       |
      | v2 | 2       |

  @G01-GIT-02.along @score:should
  Scenario Outline: a fetch that asks for tags along brings those of what it brings, in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/tags/v1    | tag    |
    Then a fetch of the commit second in protocol version <version> that asks for tags along brings the tag tag

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-02.chain @score:should
  Scenario Outline: a fetch that asks for tags along brings a tag of a tag with all that it needs, in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/tags/v2    | outer  |
    Then a fetch of the commit second in protocol version <version> that asks for tags along brings the tag outer
    And a fetch of the commit second in protocol version <version> that asks for tags along brings the tag tag

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  # A client that can do with differences to what it has asks for a thin pack (gitprotocol-capabilities).
  @G01-GIT-02.thick
  Scenario Outline: a pack is whole for who has not asked for a thin one, in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | longer |
    Then a fetch of the commit longer by who has the commit long in protocol version <version> brings a pack that needs nothing else

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-02.bands @score:should
  Scenario: a pack comes in the side-band that is asked for, or in none
    Given the owner's repository is served with:
      | refs/heads/main | large |
    Then a fetch of the commit large that asks for the long side-band gets its pack so
    And a fetch of the commit large that asks for no side-band gets its pack so
    And a fetch of the commit large that asks for the side-band gets its pack so

  @G01-GIT-02.some
  Scenario: a listing of tags holds what they point to
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
    Then a listing of refs/tags/ in protocol version 2 tells:
      | refs/tags/v1    | tag   |
      | refs/tags/v1^{} | first |

  # A client asks with this parameter alone (gitprotocol-http): what is asked otherwise is refused, or understood.
  @G01-GIT-01.spelled
  Scenario Outline: the service beside another parameter is understood or refused: <what>
    Given the lighthouse is served
    Then the lighthouse is listed with the query <query>, or the request is refused
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id     | what                | query                       |
      | behind | behind another one  | x=1&service=git-upload-pack |
      | front  | before another one  | service=git-upload-pack&x=1 |
      | empty  | behind an empty one | x=&service=git-upload-pack  |

  @G01-GIT-01.spelled @score:should
  Scenario Outline: the service may be written with escapes: <what>
    Given the lighthouse is served
    Then the lighthouse can be listed with the query <query>

    Examples:
      | id     | what                 | query                       |
      | escape | with an escape       | service=git%2Dupload%2Dpack |
      | letter | with escaped letters | %73ervice=git-upload-%70ack |

  @G01-GIT-02.spelled @score:should
  Scenario Outline: the version is a key among others: <header>
    Given the lighthouse is served
    Then the lighthouse can be listed with the header Git-Protocol <header>

    Examples:
      | id     | header           |
      | first  | version=2:side=x |
      | second | side:version=2   |

  # git sends none, and its own server refuses it (415).
  @G01-GIT-02.typed
  Scenario Outline: a fetch with a content type that has a parameter is answered or refused: <type>
    Given the lighthouse is served
    Then a fetch with the content type <type> is answered, or refused
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id      | type                                                 |
      | charset | application/x-git-upload-pack-request; charset=utf-8 |
      | tight   | application/x-git-upload-pack-request;charset=UTF-8  |
