"""How much each sign counts; fitted to written examples of development."""

BIAS = -2.56
TABLE = """
sign                    says       given        told      always        seen  seen_given
asked                   0.87         1.7        1.31           .           .           .
assistant               0.68        0.33       -0.14        0.24           .           .
authority              -0.32         1.0        1.28           .           .           .
borne                      .           .           .           .        4.71           .
command                    .           .           .           .        1.25           .
data                    0.31        0.19        0.29           .           .           .
destination                .           .           .           .        3.09       -0.86
everything              1.83        0.85       -0.12           .           .           .
exfiltration               .           .           .           .        0.56        0.29
false_authority            .           .           .           .        0.41           .
given                      .           .           .           .       -1.14           .
grant                   2.07        1.42        0.81           .           .           .
guard                   0.22         0.6        0.74           .           .           .
hide                    0.45        1.64        1.01       -0.74           .           .
image                      .           .           .           .        1.25           .
instruction                .           .           .           .           .        0.87
me                      0.92       -0.46        -2.2           .           .           .
ordered                    .           .           .           .        2.38           .
override                0.78        0.32        0.68           .           .           .
quotes                     .           .           .           .         1.7       -2.12
regardless              2.84        1.72        0.95           .           .           .
remember               -0.61        1.54        2.05           .           .           .
rules                   0.58        1.41        0.62           .           .           .
secrecy                    .           .           .           .        0.27       -0.73
send                   -0.26       -0.48       -0.17        0.44           .           .
standing                   .        0.55        0.52           .           .           .
tell                    0.92        0.54        0.52           .           .           .
topic                  -2.07       -1.09        0.35           .           .           .
unconfirmed             1.32        0.97       -0.42           .           .           .
unsupported                .           .           .           .        1.94           .
user                       .           .        3.31           .           .           .
you                     -1.8        0.39        1.36        0.66           .           .
"""
