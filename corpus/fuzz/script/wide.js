var é=()=>"😀",\u0061= function(){}
x={𝒜(){}}