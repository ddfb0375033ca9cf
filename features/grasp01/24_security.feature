Feature: Robustness and security
  What an attacker sends harms neither the server nor anybody's data.

  @SEC-01 @hostile @serial
  Scenario Outline: junk takes nothing down: <what>
    Given relay and git answer
    When a client sends junk: <what>
    Then relay and git still answer

    Examples:
      | id      | what                          |
      | text    | a megabyte of text            |
      | lists   | deeply nested lists           |
      | filters | deeply nested filters         |
      | tags    | an event of ten thousand tags |
      | utf8    | bytes that are not UTF-8      |
      | zero    | zero bytes                    |
      | nothing | nothing                       |

  @SEC-01.frames @hostile @serial @live-only @because:needs-bare-connections
  Scenario Outline: <what> takes nothing down
    Given relay and git answer
    When a client sends to the relay <what>
    Then relay and git still answer

    Examples:
      | id          | what                               |
      | bytes       | a frame of bytes                   |
      | empty-bytes | an empty frame of bytes            |
      | empty       | an empty frame of text             |
      | goes-on     | a frame that goes on with nothing  |
      | inside      | a message inside another           |
      | unknown     | a frame of an unknown sort         |
      | control     | a control frame of an unknown sort |
      | ping        | a ping in pieces                   |
      | long-ping   | a ping that is too long            |
      | unmasked    | a frame without a mask             |
      | reserved    | a frame with reserved bits         |
      | negative    | a frame of negative length         |
      | huge        | a huge frame that never ends       |
      | cut         | a frame that never ends            |
      | none        | no frame                           |

  @SEC-03.service @hostile
  Scenario Outline: a service that is called like a program starts none: <by>
    Given the lighthouse is served
    When a visitor asks for the malformed path /{npub}/{d}.git/info/refs?service=<program>
    Then the answer holds nothing that a program was told
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id   | by       | program       |
      | name | its name | echo          |
      | path | its path | %2Fbin%2Fecho |

  @SEC-03 @hostile
  Scenario Outline: an identifier that begins with <what> is a name and nothing else
    Given relay and git answer
    And the identifier begins with <start>
    When the owner announces the repository
    Then the event is answered without a failure
    And relay and git still answer

    Examples:
      | id        | what              | start                          |
      | option    | an option         | --upload-pack=touch-           |
      | dash      | a hyphen          | -                              |
      | command   | a command         | $(touch x)`id`;                |
      | pipe      | a pipe            | \|cat                           |
      | line-feed | a line feed       | {lf}                           |
      | glob      | a pattern         | *?[a-z]                        |

  @SEC-03.ref @hostile
  Scenario Outline: a branch called <name> is a name and nothing else
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main   | first |
      | refs/heads/<name> | first |
    When a client pushes:
      | refs/heads/main   | first |
      | refs/heads/<name> | first |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main   | first |
      | refs/heads/<name> | first |

    Examples:
      | id      | name              |
      | command | $(touch{IFS}x)    |
      | quote   | a'b"c;d&e!        |
      | option  | x--upload-pack=id |

  @SEC-04 @hostile
  Scenario Outline: a malformed ref name is refused: <what>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner sent the state:
      | refs/heads/main | first  |
      | <ref>           | second |
    When a client pushes:
      | <ref> | second |
    Then the push is refused
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id       | what                  | ref                     |
      | parent   | a parent folder       | refs/heads/../x         |
      | dots     | two dots              | refs/heads/a..b         |
      | lock     | a lock file           | refs/heads/x.lock       |
      | hidden   | a hidden file         | refs/heads/.x           |
      | at       | a reflog              | refs/heads/x@{1}        |
      | space    | a space               | refs/heads/a b          |
      | control  | a control character   | refs/heads/a{control}b  |
      | tab      | a tab                 | refs/heads/a{tab}b      |
      | long     | four kilobytes        | refs/heads/{long}       |
      | slash    | a slash at its end    | refs/heads/x/           |
      | empty    | an empty component    | refs/heads//x           |
      | pattern  | a pattern             | refs/heads/*            |

  @SEC-04.forms @hostile
  Scenario: names that git does not take are refused though a state names them
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then branches called by names that git does not take are refused though a state names them
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second |

  @SEC-04.unclean @hostile
  Scenario Outline: the name of a ref is taken as it is, with <what> <where>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    When a client pushes:
      | refs/heads/<name> | side |
    Then the push is refused
    But this push is accepted:
      | refs/heads/dev | side |

    Examples:
      | id          | what                     | where      | name                   |
      | nbsp        | a blank that is wide     | at its end | dev{nbsp}              |
      | ideographic | an ideographic blank     | at its end | dev{ideographic space} |
      | line        | a line separator         | at its end | dev{line separator}    |
      | next-line   | a next line              | at its end | dev{next line}         |
      | zero-width  | a blank without width    | at its end | dev{zero width space}  |
      | bom         | a byte order mark        | at its end | dev{bom}               |
      | hyphen      | a hyphen that hides      | at its end | dev{soft hyphen}       |
      | joiner      | a joiner                 | inside     | d{joiner}ev            |
      | front-nbsp  | a blank that is wide     | in front   | {nbsp}dev              |
      | front-bom   | a byte order mark        | in front   | {bom}dev               |
      | upper       | a letter in upper case   | in front   | Dev                    |
      | look-alike  | a letter of another kind | inside     | d{cyrillic e}v         |
      | wide        | wide letters             | all over   | {wide dev}             |
      | escaped     | an escape                | inside     | d%65v                  |
      | dot         | a dot                    | at its end | dev.x                  |

  @SEC-04.bytes @hostile
  Scenario: a name of bytes that are no text is another one than its likeness in text
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main                  | first |
      | refs/heads/d{no letter as text}v | side  |
    When a client pushes:
      | refs/heads/d{no letter}v | side |
    Then the push is refused
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second |

  @SEC-04.likeness @hostile
  Scenario Outline: a name is another one than <what>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main      | first |
      | refs/heads/d<named>v | side  |
    When a client pushes:
      | refs/heads/d<pushed>v | side |
    Then the push is refused
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id         | what                                    | named            | pushed                |
      | eighth-bit | that of its bytes without their eighth bit | C1            | {n with tilde}        |
      | low-byte   | that of the low bytes of its letters    | e                | {t with caron}        |
      | latin-1    | that in which each byte is a letter     | {n with tilde as bytes} | {n with tilde} |
      | composed   | that of the composed letter             | {e with acute}   | {e and acute}         |

  @SEC-06 @hostile
  Scenario Outline: a push plants no <what>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | <ref> | second |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id         | what                        | ref                               |
      | hook       | hook                        | hooks/post-update                 |
      | up         | hook by way of a parent     | refs/heads/../../hooks/pre-receive |
      | config     | configuration               | config                            |
      | alternates | alternates                  | objects/info/alternates           |
      | modules    | configuration of submodules | modules/x/config                  |

  @SEC-07 @hostile
  Scenario Outline: a compressed body of zeros at the <service> endpoint takes nothing down
    Given relay and git answer
    When a client posts a bomb to the <service> endpoint
    Then relay and git still answer

    Examples:
      | id    | service |
      | fetch | fetch   |
      | push  | push    |

  @SEC-07.large @hostile
  Scenario Outline: <size> megabytes of zeros in a kilobyte of each take nothing down: at the <service> endpoint, behind <start>
    Given relay and git answer
    And the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client posts a bomb of <size> megabytes to the <service> endpoint of the repository behind <start>
    Then relay and git still answer
    But a push of the latest state then succeeds:
      | refs/heads/main | second |

    Examples:
      | id    | size | service | start                         |
      | fetch | 128  | fetch   | nothing                       |
      | push  | 128  | push    | nothing                       |
      | list  | 32   | push    | a list of commands            |
      | pack  | 32   | push    | a list and the head of a pack |

  @SEC-07.memory @hostile @serial @further @live-only @because:needs-a-process-of-its-own
  Scenario Outline: what a compressed body unpacks to is not kept in memory: at the <service> endpoint
    Given relay and git answer
    And the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the memory of the server is weighed
    When a client posts a bomb of 512 megabytes to the <service> endpoint of the repository behind nothing
    Then relay and git still answer
    And that took at most 256 megabytes of memory
    But a push of the latest state then succeeds:
      | refs/heads/main | second |

    Examples:
      | id    | service |
      | fetch | fetch   |
      | push  | push    |

  @SEC-08 @hostile @serial @live-only @because:needs-bare-connections
  Scenario: pushes that never go on do not keep others out
    Given relay and git answer
    When 50 clients begin a push and send nothing more
    Then relay and git still answer
    When the owner announces the repository
    Then the event is accepted
    And the owner published the state:
      | refs/heads/main | first |
    And a push to the owner's repository succeeds beside them:
      | refs/heads/main | first |

  @SEC-08.deaf @hostile @serial @live-only @because:needs-bare-connections
  Scenario: a client that reads nothing does not keep others out
    Given relay and git answer
    Then 6 issues of the stranger are taken, and come to who listens, beside a client that reads nothing

  @SEC-09 @needs:held=30617,30618 @hostile
  Scenario: refusals tell nothing of what is held
    Given the owner announced the repository with:
      | name        | hidden words of the owner |
      | description | hidden words of the owner |
    When a client pushes:
      | refs/heads/main | first |
    Then the push is accepted or refused
    When the stranger sends the state:
      | refs/heads/main | second |
    And a visitor opens the page of the owner's repository
    Then no answer holds "hidden words"
    When a visitor asks for the fetch advertisement of the owner's repository
    Then no answer holds "hidden words"
    And the announcement is not served
    And no answer holds "hidden words"

  @SEC-10 @hostile
  Scenario Outline: a push is judged by the commands that git would see: <form>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes <form>:
      | refs/heads/main | second |
      | refs/heads/evil | second |
    Then no ref moved but as a state says
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id          | form                             |
      | many-caps   | with capabilities in each line   |
      | delimiter   | with a delimiter inside the list |
      | flush       | with a flush inside the list     |
      | twice       | with each command twice          |
      | certificate | inside a certificate             |
      | line-feeds  | with line feeds                  |
      | crowd       | in a list of 1100 commands       |
      | values      | with two values for each ref     |
      | tabs        | with tabs                        |
      | empty-line  | with an empty line inside the list |
      | ends        | with a response end inside the list |
