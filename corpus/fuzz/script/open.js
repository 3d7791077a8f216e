a=function({[(`${=>{class{x=
