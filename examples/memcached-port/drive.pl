#!/usr/bin/env perl
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A driver for nvmove trial: a part is a request to memcached; | is the end of a line in it.
use strict;
use warnings;
use IO::Socket::UNIX;

exec 'cat', $0 =~ s/pl$/txt/r unless @ARGV;
my $server = IO::Socket::UNIX->new(Peer => 'sock') or die "no server: $!\n";
print $server $ARGV[0] =~ s/\|/\r\n/gr, "\r\nquit\r\n";
$server->flush;
my @answer = <$server> or die "no answer\n";
print @answer;
