g/s/s:10/Q/5:user/test-keys(¬0­Jcom.xRSIGSEGV"SEGV_MAPERR@Hrouchzjhf"/€€€€€€üÿ"outer()(2/l/a.soB
77e6f9a1b2(2/  €€€€€€üÿ"outer()(2/l/a.soB
77e6f9a1b2‚­‰­worker
x0­"5Ä&Ä¦€€€€€üÿ"outer()(2/l/libapp.soB
77e6f9a1b2"<,¬€€€€€€üÿ"outer()(2<anonymous:ee137000>B
77e6f9a1b2