# Tests a frame line with text after the frame ("</b>"): the text is repeated on each line that the frame is restored
# to, also in a later part of a long text.
id=73461bc941eaa3203f2e8a1e602a57471b4727f2
{
    yes 'plain line' | head -n 4000
    echo 'backtrace:'
    echo "<b>      #00 pc 0000000000001344  /data/lib/libdemo.so (BuildId: $id)</b>"
} >long.txt
framemap -s "$NATIVE/../demo/symbols/libdemo.so" long.txt | tail -n 4
