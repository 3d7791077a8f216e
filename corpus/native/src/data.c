int datum[4] = {1, 2};
